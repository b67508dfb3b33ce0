/** The default of an exhaustive switch: a missing case is a type error. */
export function unreachable(value: never): never {
  throw new Error(
    `This case is not handled: ${JSON.stringify(value)}. It is a programming error; please report it.`,
  )
}
