import type { ClientId } from '#contracts/ids'
import { emailKey, nameKey, numberKey } from '#contracts/receivables/client-key'

/** A client as lists show it. */
export interface KnownClient {
  readonly clientId: ClientId
  readonly name: string
  readonly number: string | null
  readonly email: string | null
}

export interface NamedClient {
  readonly name: string
  readonly number: string | null
  readonly email: string | null
}

/** What is compared of a client. Equal texts are one client of a file. */
export function matchKeyOf({ name, number, email }: NamedClient): readonly (string | null)[] {
  return number === null
    ? ['name', nameKey(name), email === null ? null : emailKey(email)]
    : ['number', numberKey(number)]
}

export type Match =
  | { readonly kind: 'one'; readonly clientId: ClientId }
  /** It could be one of these, unless an import added a client with this key. */
  | { readonly kind: 'similar'; readonly clients: readonly KnownClient[] }
  /** Several clients are equal to it. */
  | { readonly kind: 'several'; readonly clients: readonly KnownClient[] }
  | { readonly kind: 'none' }

/**
 * Which of the merchant's clients a file means: the one with the number, if the file has a number;
 * else the one with the same name and e-mail. One with the same name or the same e-mail is only
 * similar.
 */
export function matchClient(named: NamedClient, known: readonly KnownClient[]): Match {
  const name = nameKey(named.name)
  const email = named.email === null ? null : emailKey(named.email)
  const isNamedSo = (client: KnownClient) => nameKey(client.name) === name
  const hasMail = (client: KnownClient) =>
    (client.email === null ? null : emailKey(client.email)) === email
  const { number } = named
  const isEqual = (client: KnownClient) =>
    number === null
      ? isNamedSo(client) && hasMail(client)
      : client.number !== null && numberKey(client.number) === numberKey(number)
  const equal = known.filter(isEqual)
  const [one] = equal
  if (equal.length > 1) return { kind: 'several', clients: equal }
  if (one !== undefined) return { kind: 'one', clientId: one.clientId }
  const similar = known.filter((client) =>
    number === null
      ? isNamedSo(client) || (email !== null && hasMail(client))
      : client.number === null && isNamedSo(client) && hasMail(client),
  )
  return similar.length === 0 ? { kind: 'none' } : { kind: 'similar', clients: similar }
}
