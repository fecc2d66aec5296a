package labelled_test

import (
	"fmt"

	"github.com/rollmill/rollmill/stages/decontaminate/labelled"
)

func Example() {
	set := labelled.New(labelled.Tune, 1)
	for _, r := range set.Rows {
		if r.Class == labelled.Line {
			fmt.Println(r.Item)
			fmt.Println(r.Prompt)
			break
		}
	}
	// Output:
	// tune-short-1371
	// bold banners and flasks from Zeldanby
	// List three oval uses of a cactus in dermatology.
	// plain guitars and sandals from Rimarcombe
	// grand wicks and harnesses from Yorstead
	// * glossy harnesses and hammers from Wentildaminster
	// * rough nozzles and motors from Elmouth
}
