package mathequal

import "math/big"

// A budget counts down the work of one comparison. Once it is spent every operation
// returns at once, and the comparison ends with a BudgetError.
type budget struct {
	left  int
	limit string // what was exceeded first
}

// spend takes n units of work; false when nothing is left.
func (b *budget) spend(n int) bool {
	b.left -= n + 1
	if b.left < 0 {
		b.refuse("operations")
	}
	return b.limit == ""
}

// refuse ends the comparison.
func (b *budget) refuse(limit string) {
	if b.limit == "" {
		b.limit = limit
	}
}

func (b *budget) spent() bool { return b.limit != "" }

// err returns the error of a budget that is spent, or nil.
func (b *budget) err() error {
	if b.limit == "" {
		return nil
	}
	return &BudgetError{Side: "comparison", Limit: b.limit}
}

// weigh charges for a fraction that is brought to lowest terms, which costs the
// product of the lengths above and below the line, and refuses one that is too large.
func (b *budget) weigh(x *big.Rat) bool {
	above, below := x.Num().BitLen(), x.Denom().BitLen()
	if above+below > maxBits {
		b.refuse("size of a number")
		return false
	}
	return b.spend((above/64)*(below/64)/8 + wordsOf(x)/2)
}

// wordsOf returns the length of a fraction.
func wordsOf(x *big.Rat) int { return (x.Num().BitLen() + x.Denom().BitLen()) / 64 }
