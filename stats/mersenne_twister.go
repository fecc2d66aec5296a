package stats

import (
	"crypto/sha512"
	"math"
	"math/bits"
)

// MersenneTwister is the parity generator: CPython's random.Random, so that
// draws can be repeated digit by digit outside this program (spec of
// statistics, section 1.5; Matsumoto and Nishimura 1998, MT19937). It is not
// safe for concurrent use, and it is not for secrets.
type MersenneTwister struct {
	state [mtN]uint32
	out   [mtN]uint32 // the tempered outputs of this state
	next  int         // the output to give next
}

const (
	mtN         = 624
	mtM         = 397
	mtMatrix    = 0x9908b0df
	mtUpperMask = 0x80000000
	mtLowerMask = 0x7fffffff
)

// NewMersenneTwister seeds by an integer, of which the absolute value counts.
func NewMersenneTwister(seed int64) *MersenneTwister {
	n := uint64(seed)
	if seed < 0 {
		n = -n
	}
	key := []uint32{uint32(n)}
	if n>>32 != 0 {
		key = append(key, uint32(n>>32))
	}
	m := new(MersenneTwister)
	m.init(key)
	return m
}

// NewMersenneTwisterString seeds by text: its UTF-8 bytes followed by their
// SHA-512, read as one big-endian integer.
func NewMersenneTwisterString(seed string) *MersenneTwister {
	digest := sha512.Sum512([]byte(seed))
	bytes := append([]byte(seed), digest[:]...)
	var key []uint32 // low word first
	for end := len(bytes); end > 0; end -= 4 {
		var word uint32
		for _, b := range bytes[max(0, end-4):end] {
			word = word<<8 | uint32(b)
		}
		key = append(key, word)
	}
	for len(key) > 1 && key[len(key)-1] == 0 {
		key = key[:len(key)-1]
	}
	m := new(MersenneTwister)
	m.init(key)
	return m
}

// init is the init_by_array of the 2002 reference code.
func (m *MersenneTwister) init(key []uint32) {
	s := &m.state
	s[0] = 19650218
	for i := 1; i < mtN; i++ {
		s[i] = 1812433253*(s[i-1]^s[i-1]>>30) + uint32(i)
	}
	i, j := 1, 0
	for range max(mtN, len(key)) {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1664525) + key[j] + uint32(j)
		if i++; i == mtN {
			s[0], i = s[mtN-1], 1
		}
		if j++; j == len(key) {
			j = 0
		}
	}
	for range mtN - 1 {
		s[i] = (s[i] ^ (s[i-1]^s[i-1]>>30)*1566083941) - uint32(i)
		if i++; i == mtN {
			s[0], i = s[mtN-1], 1
		}
	}
	s[0] = 0x80000000
	m.next = mtN
}

// refill makes the next state and its tempered outputs.
func (m *MersenneTwister) refill() {
	s := &m.state
	for i := range mtN - mtM {
		y := s[i]&mtUpperMask | s[i+1]&mtLowerMask
		s[i] = s[i+mtM] ^ y>>1 ^ (y&1)*mtMatrix
	}
	for i := mtN - mtM; i < mtN-1; i++ {
		y := s[i]&mtUpperMask | s[i+1]&mtLowerMask
		s[i] = s[i+mtM-mtN] ^ y>>1 ^ (y&1)*mtMatrix
	}
	y := s[mtN-1]&mtUpperMask | s[0]&mtLowerMask
	s[mtN-1] = s[mtM-1] ^ y>>1 ^ (y&1)*mtMatrix
	for i, y := range s {
		y ^= y >> 11
		y ^= y << 7 & 0x9d2c5680
		y ^= y << 15 & 0xefc60000
		m.out[i] = y ^ y>>18
	}
	m.next = 0
}

// Uint32 returns the next 32-bit output.
func (m *MersenneTwister) Uint32() uint32 {
	if m.next >= mtN {
		m.refill()
	}
	y := m.out[m.next]
	m.next++
	return y
}

// Bits returns k random bits, 0 < k <= 64: the top bits of one output, or of
// two with the low word first.
func (m *MersenneTwister) Bits(k int) uint64 {
	if k <= 32 {
		return uint64(m.Uint32() >> (32 - k))
	}
	low := uint64(m.Uint32())
	return uint64(m.Uint32()>>(64-k))<<32 | low
}

// Below returns a number in [0, n), n > 0: as many bits as n has, drawn again
// until they are below n.
func (m *MersenneTwister) Below(n int) int {
	if n <= 0 {
		panic("stats: MersenneTwister.Below of a number that is not positive")
	}
	if n <= math.MaxUint32 {
		return int(m.below(uint32(n), uint(32-bits.Len32(uint32(n)))))
	}
	k := bits.Len64(uint64(n))
	for {
		if r := m.Bits(k); r < uint64(n) {
			return int(r)
		}
	}
}

// below is Below with the shift of n worked out beforehand.
func (m *MersenneTwister) below(n uint32, shift uint) uint32 {
	for {
		if r := m.Uint32() >> shift; r < n {
			return r
		}
	}
}

// Float64 returns a number in [0, 1) with 53 random bits: random.random.
func (m *MersenneTwister) Float64() float64 {
	a, b := m.Uint32()>>5, m.Uint32()>>6
	return (float64(float64(a)*67108864) + float64(b)) / 9007199254740992
}

// Uniform returns a number between low and high.
func (m *MersenneTwister) Uniform(low, high float64) float64 {
	return low + float64((high-low)*m.Float64())
}

// Shuffle puts n things in random order through swap: random.shuffle.
func (m *MersenneTwister) Shuffle(n int, swap func(i, j int)) {
	for i := n - 1; i > 0; i-- {
		swap(i, m.Below(i+1))
	}
}

// Sample returns k different numbers out of [0, n) in the order they were
// drawn: random.sample over range(n). k must not exceed n.
func (m *MersenneTwister) Sample(n, k int) []int {
	if k < 0 || k > n {
		panic("stats: MersenneTwister.Sample of more than there are")
	}
	setSize := 21
	if k > 5 {
		setSize += int(math.Pow(4, math.Ceil(math.Log(float64(3*k))/math.Log(4))))
	}
	picked := make([]int, k)
	if n <= setSize {
		pool := make([]int, n)
		for i := range pool {
			pool[i] = i
		}
		for i := range picked {
			j := m.Below(n - i)
			picked[i] = pool[j]
			pool[j] = pool[n-i-1]
		}
		return picked
	}
	seen := make(map[int]bool, k)
	for i := range picked {
		j := m.Below(n)
		for seen[j] {
			j = m.Below(n)
		}
		seen[j] = true
		picked[i] = j
	}
	return picked
}
