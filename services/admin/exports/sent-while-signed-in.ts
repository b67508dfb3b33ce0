import { HttpError } from '#services/http/http-error'

/**
 * Passes the batches of an export on. An export can take minutes: it stops if its session ends
 * meanwhile, in any way.
 * @param handle the handle of the administrator's session
 * @throws HttpError 401
 */
export async function* sentWhileSignedIn<Batch>(
  batches: AsyncIterable<Batch>,
  handle: string | null,
  openSessions: (handles: readonly string[]) => Promise<ReadonlyMap<string, Date>>,
): AsyncGenerator<Batch, void, undefined> {
  for await (const batch of batches) {
    if (handle === null || !(await openSessions([handle])).has(handle))
      throw new HttpError(401, 'Log in as an administrator first.')
    yield batch
  }
}
