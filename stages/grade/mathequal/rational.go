package mathequal

import "math/big"

// rationalCall returns the value of a function of rational numbers where that is
// rational and known exactly.
func (r *reducer) rationalCall(name string, args []*big.Rat) (*big.Rat, bool) {
	if len(args) == 0 {
		return nil, false
	}
	x := args[0]
	switch name {
	case "abs":
		return new(big.Rat).Abs(x), true
	case "floor":
		return floor(x), true
	case "ceil":
		up := floor(new(big.Rat).Neg(x))
		return up.Neg(up), true
	case "max", "min":
		best := x
		for _, a := range args[1:] {
			if c := a.Cmp(best); c > 0 == (name == "max") && c != 0 {
				best = a
			}
		}
		return best, true
	case "gcd", "lcm":
		return r.divisor(name, args)
	case "factorial":
		return r.factorial(x)
	case "binom":
		return r.binomial(x, args[1])
	}
	return nil, false
}

func floor(x *big.Rat) *big.Rat {
	q, m := new(big.Int), new(big.Int)
	q.DivMod(x.Num(), x.Denom(), m)
	return new(big.Rat).SetInt(q)
}

func (r *reducer) divisor(name string, args []*big.Rat) (*big.Rat, bool) {
	var out *big.Int
	for _, a := range args {
		if !a.IsInt() || !r.weigh(a) {
			return nil, false
		}
		x := new(big.Int).Abs(a.Num())
		if out == nil {
			out = x
			continue
		}
		g := new(big.Int).GCD(nil, nil, out, x)
		if name == "lcm" && g.Sign() != 0 {
			g.Mul(out, x.Quo(x, g))
		}
		out = g
		if !r.weigh(new(big.Rat).SetInt(out)) {
			return nil, false
		}
	}
	return new(big.Rat).SetInt(out), true
}

func (r *reducer) factorial(x *big.Rat) (*big.Rat, bool) {
	if !x.IsInt() || x.Sign() < 0 {
		return nil, false
	}
	if x.Num().Cmp(big.NewInt(maxExponent)) > 0 {
		r.refuse("size of a factorial")
		return nil, false
	}
	n := x.Num().Int64()
	if !r.spend(int(n * n / 256)) {
		return nil, false
	}
	return new(big.Rat).SetInt(new(big.Int).MulRange(1, n)), true
}

func (r *reducer) binomial(n, k *big.Rat) (*big.Rat, bool) {
	if !n.IsInt() || !k.IsInt() || n.Sign() < 0 || k.Sign() < 0 {
		return nil, false
	}
	limit := big.NewInt(maxExponent)
	if n.Num().Cmp(limit) > 0 {
		r.refuse("size of a binomial")
		return nil, false
	}
	if k.Cmp(n) > 0 {
		return new(big.Rat), true
	}
	a, b := n.Num().Int64(), k.Num().Int64()
	b = min(b, a-b)
	if !r.spend(int(b * b / 64)) {
		return nil, false
	}
	return new(big.Rat).SetInt(new(big.Int).Binomial(a, b)), true
}
