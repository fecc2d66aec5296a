package mathequal

// sameCommands are commands that stand for another one, or, with an empty name,
// for nothing.
var sameCommands = map[string]string{
	"dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
	"mbox": "text", "textrm": "text", "textbf": "text", "textit": "text", "textsf": "text", "texttt": "text",
	"mathrm": "text", "operatorname": "text", "mathsf": "text", "mathtt": "text", "emph": "text", "textnormal": "text",
	"mathbf": "", "mathit": "", "boldsymbol": "", "bm": "", "mathcal": "", "bf": "", "rm": "", "it": "",
	"displaystyle": "", "textstyle": "", "limits": "", "quad": "", "qquad": "", "ldots": "", "dots": "", "cdots": "",
	"bigl": "", "bigr": "", "Bigl": "", "Bigr": "", "big": "", "Big": "", "bigg": "", "Bigg": "",
	"thinspace": "", "middle": "",
	"times": "cdot", "ast": "cdot", "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne",
	"approxeq": "approx", "simeq": "approx", "sim": "approx",
	"lbrace": `\{`, "rbrace": `\}`, "lbrack": "[", "rbrack": "]", "varnothing": "emptyset", "infin": "infty",
	"lvert": "|", "rvert": "|", "vert": "|", "degree": "circ", "land": ",", "wedge": ",", "lor": ",", "vee": ",",
	"ctg": "cot", "tg": "tan", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
	"boxed": "", "backslash": "setminus", "reals": "R",
	"colon": ":", "equiv": "=",
}

// decorations change the letters below them into another name.
var decorations = map[string]bool{
	"overline": true, "vec": true, "hat": true, "bar": true, "tilde": true, "dot": true, "ddot": true, "widehat": true,
	"underline": true, "overrightarrow": true, "widetilde": true, "mathbb": true, "overarc": true,
}

// signs are the characters outside ASCII that mean something in mathematics.
var signs = map[rune]token{
	'−': {signToken, "-"}, '–': {signToken, "-"}, '×': {commandToken, "cdot"}, '·': {commandToken, "cdot"},
	'⋅': {commandToken, "cdot"}, '÷': {signToken, "/"}, '∕': {signToken, "/"}, '√': {commandToken, "sqrt"},
	'π': {commandToken, pi}, '∞': {commandToken, "infty"}, '≤': {commandToken, "le"}, '≥': {commandToken, "ge"},
	'≠': {commandToken, "ne"}, '≈': {commandToken, "approx"}, '±': {commandToken, "pm"}, '∪': {commandToken, "cup"},
	'∩': {commandToken, "cap"}, '∈': {commandToken, "in"}, '∅': {commandToken, "emptyset"}, '°': {commandToken, "circ"},
	'²': {commandToken, "squared"}, '³': {commandToken, "cubed"}, '½': {commandToken, "half"}, '∣': {signToken, "|"},
	'ℝ': {commandToken, "R"}, '，': {signToken, ","}, '\u200b': {}, '\u00a0': {}, '\u2009': {}, '\u202f': {},
}

// functions are the names that are applied to what follows them.
var functions = map[string]bool{
	"sin": true, "cos": true, "tan": true, "cot": true, "sec": true, "csc": true,
	"arcsin": true, "arccos": true, "arctan": true, "sinh": true, "cosh": true, "tanh": true,
	"ln": true, "log": true, "exp": true, "gcd": true, "lcm": true, "max": true, "min": true,
}

// inverses are the functions that f^{-1} stands for.
var inverses = map[string]string{"sin": "arcsin", "cos": "arccos", "tan": "arctan"}

// words are the names that plain text uses for what LaTeX has commands for.
var words = map[string]string{
	"pi": pi, "sqrt": "sqrt", "infinity": "infty", "inf": "infty", "oo": "infty", "abs": "abs", "floor": "floor", "ceil": "ceil",
	"cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc", "ln": "ln", "log": "log", "exp": "exp",
	"arcsin": "arcsin", "arccos": "arccos", "arctan": "arctan", "asin": "arcsin", "acos": "arccos", "atan": "arctan",
	"sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "gcd": "gcd", "lcm": "lcm", "max": "max", "min": "min", "frac": "frac",
}

// relations are the commands and signs that state something about two sides.
var relations = map[string]string{
	"=": "=", "<": "<", ">": ">", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "ne": "!=", "in": "in", "approx": "~",
	"ll": "<<", "gg": ">>", "subset": "subset", "subseteq": "subseteq", "mid": "mid",
}
