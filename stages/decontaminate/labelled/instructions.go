package labelled

// instructions stand before or after many items of an evaluation set, and
// before many rows that have nothing to do with it.
var instructions = []string{
	"Read the passage below and answer the question in one short sentence.",
	"Solve the following problem step by step. Show your work and put the final answer on the last line after four hash marks.",
	"You are a careful assistant. Think before you answer, and do not guess when you are not sure of the result.",
	"Choose the best answer from the options given. Reply with the letter of the correct option only, without any explanation.",
	"Please reason step by step, and put your final answer within \\boxed{}.",
	"The following is a multiple choice question about the subject named above. Only one of the answers is correct.",
	"Write clean and well documented code. Your solution must pass all of the hidden tests and must not use external libraries.",
	"Complete the function below. Return only the code in a single block and nothing else, no comments and no examples of use.",
	"Answer the question using only the information in the text. If the text does not say it, write that it cannot be known.",
	"Give your answer as a single number without units. Round to two decimal places where it is necessary to do so.",
	"Below is an instruction that describes a task. Write a response that appropriately completes the request.",
	"A chat between a curious user and an artificial assistant follows. The assistant gives helpful, detailed and polite answers.",
	"Consider the question carefully, list what is known and what is asked for, and only then compute the answer.",
	"Now it is your turn. Here is the next question of the examination; you have one minute to answer it.",
}
