import type { RequestContext } from '#services/http/endpoint'
import { HttpError } from '#services/http/http-error'
import type { Person } from './proposal-rules.ts'

/**
 * The administrator of the request, with the role of this moment.
 * @throws HttpError 401 if the person was ended meanwhile
 */
export async function personOf(context: Pick<RequestContext, 'administrator'>): Promise<Person> {
  const found = await context.administrator()
  if (found === null) throw new HttpError(401, 'Log in as an administrator first.')
  return { adminId: found.adminId, isNamed: found.name !== null, role: found.role }
}
