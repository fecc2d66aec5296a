package labelled

// formulas stand in textbooks and evaluation items alike, word for word.
var formulas = []string{
	"x = (-b ± sqrt(b^2 - 4ac)) / (2a)",
	"A = P(1 + r/n)^(n t), where P is the principal and r the yearly rate",
	"the sum of the interior angles of a polygon with n sides is (n - 2) times 180 degrees",
	"in a right triangle the square of the hypotenuse equals the sum of the squares of the other two sides, a^2 + b^2 = c^2",
	"\\frac{n!}{k!(n-k)!} counts the ways to choose k of n things without regard to order",
	"P(A | B) = P(B | A) P(A) / P(B)",
	"the derivative of a product is f'(x) g(x) + f(x) g'(x)",
	"F = G m_1 m_2 / r^2, with G = 6.674 \\times 10^{-11}",
	"\\frac{11 \\times 10 \\times 9 \\times 8 \\times 7}{5 \\times 4 \\times 3 \\times 2 \\times 1} = 462",
	"E = m c^2, where c = 299792458 metres per second is the speed of light in vacuum",
	"the volume of a sphere with radius r is 4/3 \\pi r^3 and its surface is 4 \\pi r^2",
	"sin^2(x) + cos^2(x) = 1 for every real number x",
	"1 + 2 + 3 + ... + n = n(n + 1) / 2 for every positive integer n",
	"e^{i \\pi} + 1 = 0, which joins the five most important numbers",
	"p V = n R T, where R = 8.314 joules per mole and kelvin",
	"the distance between two points is sqrt((x_2 - x_1)^2 + (y_2 - y_1)^2)",
	"for (int i = 0; i < n; i++) { sum += a[i]; } return sum;",
	"every action has an equal and opposite reaction, as the third law of motion says",
	"6 CO2 + 6 H2O -> C6H12O6 + 6 O2 in the presence of light",
	"we hold these truths to be self-evident, that all men are created equal",
}

// around are the questions that use a formula.
var around = []string{
	"Recall that %s. Use it to find how the {adj} {thing} of {name} changes when {n} {things} become {n}, and explain why {concept} {does} {concept} in {town}.",
	"A {job} in {town} writes %s on a {adj} {thing}. Which of the {n} {things} that {name} {verbed} does it describe, if {concept} {does} {adj} {concept}?",
	"Since %s, the {adj} {place} needs {n} {things} for every {animal}. How many {things} would {name} and {n} {jobs} have to {does} in {n} days?",
	"Apply %s to the {adj} {things} of the {place}, where {n} {animals} {verbed} a {thing}; state the {concept} and what the {job} of {town} should expect.",
	"From %s derive what {name} the {job} {verbed}: the {adj} {concept} of a {thing} with {n} {things}, given that {concept} is {adj} and {n} {things} are {verbed}.",
	"Let %s. Show that {n} {adj} {things} are enough for the {jobs} of {town} to keep {concept} below {n} while {concept} {does} a {thing}.",
}
