/**
 * An event needs an earlier event that the log does not have: it was removed, or another program
 * wrote the later one. A sentence for the operator, who can restore a backup.
 */
export class DamagedHistory extends Error {
  override readonly name = 'DamagedHistory'
}
