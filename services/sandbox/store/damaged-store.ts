/** Stored objects contradict each other. The sandbox cannot repair them. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore'
  /** @param fact what is wrong, as a sentence with the value */
  constructor(fact: string) {
    super(`${fact} Drop the sandbox database and start again.`)
  }
}
