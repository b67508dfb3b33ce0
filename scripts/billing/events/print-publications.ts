import type { Publication } from '#services/event-store/publishing/publish-seals'
import { countOf, formatCount } from '#services/foundation/format-count'
import { print } from '../print.ts'

/** Prints what each place took. A failure sets exit code 1. */
export function printPublications(publications: readonly Publication[]): void {
  for (const { place, published, unpublished, failure } of publications) {
    if (published.length > 0)
      print(
        `Published ${countOf(published.length, 'seal')} to ${place}; the last one is seal ${published.at(-1)}.\n`,
      )
    if (failure === null) continue
    process.exitCode = 1
    print(
      `${formatCount(unpublished.length)} ${unpublished.length === 1 ? 'seal is' : 'seals are'} not published to ${place}, from seal ${unpublished[0]} on: ${failure} The seals are in the database. 'billing events publish' and the next 'billing events seal' try again.\n`,
    )
  }
}
