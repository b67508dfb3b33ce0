/** Ends a switch that must know every case: a new case is then a type error here. */
export function unreachable(value: never): never {
  throw new Error(
    `This case is not handled: ${JSON.stringify(value)}. It is a programming error; please report it.`,
  )
}
