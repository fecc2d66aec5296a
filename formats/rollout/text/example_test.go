package text_test

import (
	"fmt"

	"github.com/rollmill/rollmill/formats/rollout/text"
)

func Example() {
	fmt.Println(text.Norm("  Please\tREFUND it "))
	fmt.Println(string(text.AppendWords(nil, "Look up ORD-4017, now; don't wait")))
	fmt.Println(text.LooksFinished("The total is"), text.LooksFinished("So:\n#### 1,234"))

	styles := text.StylesOf("Great question! I'm unable to do it.")
	fmt.Println(styles.Has(text.Sycophancy), styles.Has(text.Refusal), styles.Has(text.Boilerplate))
	// Output:
	// please refund it
	// look up ord 4017 now don t wait
	// false true
	// false true true
}
