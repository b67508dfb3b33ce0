import type { Target } from '../table/targets.ts'

/** A row that cannot be imported. The message is a sentence for the merchant. */
export class RowRefusal extends Error {
  override readonly name = 'RowRefusal'
  /** The column that the sentence is about. */
  readonly target: Target

  constructor(target: Target, sentence: string) {
    super(sentence)
    this.target = target
  }
}
