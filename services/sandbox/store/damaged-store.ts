/** Stored objects contradict each other. The sandbox cannot repair them. */
export class DamagedStore extends Error {
  override readonly name = 'DamagedStore'
  /** @param problem what is wrong, as a sentence with the value */
  constructor(problem: string) {
    super(`${problem} Drop the sandbox database and start again.`)
  }
}
