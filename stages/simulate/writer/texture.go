package writer

// texture is a habit of typing.
type texture string

const (
	plain     texture = ""
	lowercase texture = "lowercase"
	bareEnd   texture = "no final stop"
)

// textureOf returns the habit of whoever writes message at of n. About a third
// have one, as in the reference implementation.
func textureOf(at, n uint64) texture {
	switch (at*0x9E3779B97F4A7C15 + n) >> 32 % 20 {
	case 0, 1, 2, 3:
		return lowercase
	case 4, 5, 6:
		return bareEnd
	}
	return plain
}
