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

/** The merchant's clients by what is compared: a file has many rows. */
export interface ClientIndex {
  readonly byNumber: ReadonlyMap<string, readonly KnownClient[]>
  readonly byName: ReadonlyMap<string, readonly KnownClient[]>
  readonly byEmail: ReadonlyMap<string, readonly KnownClient[]>
}

export function indexOf(known: readonly KnownClient[]): ClientIndex {
  const by = (keyOf: (client: KnownClient) => string | null) => {
    const found = new Map<string, KnownClient[]>()
    for (const client of known) {
      const key = keyOf(client)
      if (key !== null) found.set(key, [...(found.get(key) ?? []), client])
    }
    return found
  }
  return {
    byNumber: by(({ number }) => (number === null ? null : numberKey(number))),
    byName: by(({ name }) => nameKey(name)),
    byEmail: by(({ email }) => (email === null ? null : emailKey(email))),
  }
}

/**
 * Which of the merchant's clients a file means: the one with the number, if the file has a number;
 * else the one with the same name and e-mail. One with the same name or the same e-mail is only
 * similar.
 */
export function matchClient(named: NamedClient, known: ClientIndex): Match {
  const { number } = named
  const email = named.email === null ? null : emailKey(named.email)
  const namedSo = known.byName.get(nameKey(named.name)) ?? []
  const withMail = namedSo.filter(
    (client) => (client.email === null ? null : emailKey(client.email)) === email,
  )
  const equal = number === null ? withMail : (known.byNumber.get(numberKey(number)) ?? [])
  const [one] = equal
  if (equal.length > 1) return { kind: 'several', clients: equal }
  if (one !== undefined) return { kind: 'one', clientId: one.clientId }
  const ofMail = email === null ? [] : (known.byEmail.get(email) ?? [])
  const similar =
    number === null
      ? [...new Set([...namedSo, ...ofMail])]
      : withMail.filter((client) => client.number === null)
  return similar.length === 0 ? { kind: 'none' } : { kind: 'similar', clients: similar }
}
