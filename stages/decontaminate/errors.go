package decontaminate

import "errors"

var (
	// ErrNoItems is returned when an evaluation set holds no text with words: it
	// would find nothing and look like a clearance.
	ErrNoItems = errors.New("no item with any words")
	// ErrSameSet is returned when two evaluation sets have one name.
	ErrSameSet = errors.New("two evaluation sets of one name")
	// ErrTooLarge is returned when an index would hold more words than it can count.
	ErrTooLarge = errors.New("more than 2^31 words")
	// ErrNotIndex is returned when a file is no index.
	ErrNotIndex = errors.New("not an index of evaluation sets")
	// ErrVersion is returned when an index was written by another version.
	ErrVersion = errors.New("an index of another version")
	// ErrDamaged is returned when an index is cut off or its bytes have changed.
	ErrDamaged = errors.New("damaged index")
	// ErrConfig is returned when indexes of different configurations are merged.
	ErrConfig = errors.New("indexes of different configurations")
)
