package hackscan

// golden is 2^64 over the golden ratio, odd.
const golden = 0x9E3779B97F4A7C15

// silver is another odd constant of mixed bits (from wyhash).
const silver = 0xA0761D6478BD642F

// mix spreads what differs in x over all bits: a bijection (the finalizer of
// splitmix64, Steele, Lea and Flood 2014).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
