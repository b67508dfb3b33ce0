import { mayDo, refusedRight } from '#contracts/admin/roles'
import type { AdminPerson } from '#services/http/access'
import { HttpError } from '#services/http/http-error'

/** Whether an administrator may still have the rows of an export. */
export interface ExportAccess {
  /** Those of the administrators' sessions that have not ended. */
  readonly openSessions: (handles: readonly string[]) => Promise<ReadonlyMap<string, Date>>
  /** Who the administrator is now. Null after the end. @throws EventStoreUnavailable */
  readonly personOf: (adminId: string) => Promise<AdminPerson | null>
}

/** The administrator who exports, and the handle of the session. */
interface Exporter {
  readonly adminId: string
  readonly handle: string | null
}

/**
 * Passes the batches of an export on. An export can take minutes: it stops if its session ends
 * meanwhile, in any way, or if the role of the administrator does not allow exports any more.
 * @throws HttpError 401, 403
 */
export async function* sentWhileAllowed<Batch>(
  batches: AsyncIterable<Batch>,
  { adminId, handle }: Exporter,
  { openSessions, personOf }: ExportAccess,
): AsyncGenerator<Batch, void, undefined> {
  for await (const batch of batches) {
    const isOpen = handle !== null && (await openSessions([handle])).has(handle)
    const person = isOpen ? await personOf(adminId) : null
    if (person === null) throw new HttpError(401, 'Log in as an administrator first.')
    if (!mayDo(person.role, 'export')) throw new HttpError(403, refusedRight(person.role, 'export'))
    yield batch
  }
}
