import {
  isClientId,
  type ClientId,
  type ImportId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import { unreachable } from '#services/foundation/decider'
import { inParallel } from '#services/foundation/in-parallel'
import { importedClientIdOf, receivableIdOf } from '../receivable-id.ts'
import {
  indexOf,
  matchClient,
  matchKeyOf,
  type KnownClient,
  type NamedClient,
} from './client-match.ts'

/** A row, as far as it says whose invoice it is. */
export interface RowOfClient {
  readonly number: string
  readonly client: NamedClient
  /** What the merchant answered: an id, or `new`. */
  readonly clientChoice: string | null
}

export type FoundClient =
  | { readonly kind: 'found'; readonly clientId: ClientId; readonly isNew: boolean }
  /** It could be one of several. */
  | { readonly kind: 'unclear-client'; readonly clients: readonly KnownClient[] }
  /** The row names a client that does not exist, is erased, or is another merchant's. */
  | { readonly kind: 'not-found' }

export const unknownClient: FoundClient = { kind: 'not-found' }

export interface ClientFinderParts {
  /** `gone`: erased, withdrawn, or another merchant's. */
  readonly standingOf: (merchantId: UserId, clientId: ClientId) => Promise<'none' | 'open' | 'gone'>
  /**
   * Which of these clients and receivables lists know. `gone`: a client that was erased or
   * withdrawn. What was recorded just now can be missing: it is then found when its stream is
   * written.
   */
  readonly knownAmong: (ids: readonly string[]) => Promise<ReadonlyMap<string, 'open' | 'gone'>>
  readonly hasReceivable: (merchantId: UserId, receivableId: ReceivableId) => Promise<boolean>
  /** The merchant's clients, not erased, with one of these numbers, names or e-mails. */
  readonly clientsLike: (
    merchantId: UserId,
    named: readonly NamedClient[],
  ) => Promise<readonly KnownClient[]>
}

/** Streams that are read at once. */
const parallelReads = 8

/**
 * Whose invoices the rows are, in their order. A client that does not exist gets an id that follows
 * from the merchant and from what the file says of it, so that retries, parts and parallel imports
 * add one client. `added` are the clients that this import adds: they are similar to no row, so
 * that the order of the file's rows does not matter. `own` are those of them whose rows are begun.
 * `scope` tells the new clients of imports apart that the merchant asked for.
 */
export async function findClients(
  { standingOf, hasReceivable, clientsLike, knownAmong }: ClientFinderParts,
  merchantId: UserId,
  rows: readonly RowOfClient[],
  {
    added,
    own = new Set(),
    scope,
  }: {
    readonly added: ReadonlySet<ClientId>
    readonly own?: ReadonlySet<ClientId>
    readonly scope: ImportId | string
  },
): Promise<readonly FoundClient[]> {
  const like = await clientsLike(
    merchantId,
    rows.map(({ client }) => client),
  )
  const known = indexOf(like.filter(({ clientId }) => !added.has(clientId)))
  const keyOf = ({ client, clientChoice }: RowOfClient) =>
    clientChoice === 'new' ? [...matchKeyOf(client), 'new', scope] : matchKeyOf(client)
  const listed = await knownAmong([
    ...new Set(rows.map((row) => importedClientIdOf(merchantId, keyOf(row), 0))),
  ])
  const derived = new Map<string, Promise<{ clientId: ClientId; exists: boolean }>>()
  const derive = (key: readonly (string | null)[]) => {
    const name = JSON.stringify(key)
    const found = derived.get(name) ?? unused(key)
    derived.set(name, found)
    return found
  }

  /** The client that an import added with this key, or the id with which it is added. */
  async function unused(key: readonly (string | null)[]) {
    for (let generation = 0; ; generation += 1) {
      const clientId = importedClientIdOf(merchantId, key, generation)
      // Most rows of a first import have new clients, or those of its rows before: their streams
      // are not read. One that was erased meanwhile refuses the row.
      if (generation === 0 && own.has(clientId) && listed.get(clientId) !== 'gone')
        return { clientId, exists: true }
      if (generation === 0 && !listed.has(clientId)) return { clientId, exists: false }
      const standing = await standingOf(merchantId, clientId)
      if (standing !== 'gone') return { clientId, exists: standing === 'open' }
    }
  }

  async function find(row: RowOfClient): Promise<FoundClient> {
    const { number, client, clientChoice } = row
    const key = keyOf(row)
    if (clientChoice === 'new') {
      const { clientId, exists } = await derive(key)
      return { kind: 'found', clientId, isNew: !exists }
    }
    if (clientChoice !== null) {
      const isOpen =
        isClientId(clientChoice) && (await standingOf(merchantId, clientChoice)) === 'open'
      return isOpen
        ? { kind: 'found', clientId: clientChoice, isNew: false }
        : { kind: 'not-found' }
    }
    const match = matchClient(client, known)
    switch (match.kind) {
      case 'one':
        return { kind: 'found', clientId: match.clientId, isNew: false }
      case 'several':
        return withInvoice(number, match.clients)
      case 'similar': {
        const { clientId, exists } = await derive(key)
        return exists
          ? { kind: 'found', clientId, isNew: false }
          : withInvoice(number, match.clients)
      }
      case 'none': {
        const { clientId, exists } = await derive(key)
        return { kind: 'found', clientId, isNew: !exists }
      }
      default:
        return unreachable(match)
    }
  }

  /** The same file again asks nothing: the client that has the invoice is it. */
  async function withInvoice(
    number: string,
    clients: readonly KnownClient[],
  ): Promise<FoundClient> {
    const having: ClientId[] = []
    for (const { clientId } of clients)
      if (await hasReceivable(merchantId, receivableIdOf(clientId, number))) having.push(clientId)
    const [one] = having
    return one !== undefined && having.length === 1
      ? { kind: 'found', clientId: one, isNew: false }
      : { kind: 'unclear-client', clients }
  }

  const found: FoundClient[] = []
  await inParallel(parallelReads, [...rows.entries()], async ([index, row]) => {
    found[index] = await find(row)
  })
  return found
}
