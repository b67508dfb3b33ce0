import { DamagedStore } from '../store/damaged-store.ts'
import { isKind } from '../store/stored-object.ts'
import { shown, type Kind } from '../store/stripe-objects.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { productById } from './catalogue.ts'
import { currentPrice } from './current-price.ts'
import { invalid } from './errors.ts'
import { wholeList } from './list-page.ts'
import { references } from './references.ts'
import { configurationById } from './resources/default-portal-configuration.ts'

type Tree = { [key: string]: Tree }
type Fields = Record<string, unknown>

/** Lists that an object contains only if the caller expands them. */
const inclusions: Record<string, (tx: ReadTransaction, owner: Fields) => Promise<unknown>> = {
  'checkout.session.line_items': async (tx, { id }) => {
    const session = await tx.find('checkout.session', String(id))
    if (session === null)
      throw new DamagedStore(`The checkout session ${String(id)} does not exist.`)
    return wholeList(`/v1/checkout/sessions/${session.id}/line_items`, session.sandbox.lineItems)
  },
  'invoice.payments': async (tx, { id }) =>
    wholeList(
      `/v1/invoice_payments?invoice=${String(id)}`,
      await tx.list('invoice_payment', { where: [{ path: ['invoice'], isOneOf: [String(id)] }] }),
    ),
  'customer.subscriptions': async (tx, { id }) =>
    wholeList(
      `/v1/customers/${String(id)}/subscriptions`,
      (
        await tx.list('subscription', { where: [{ path: ['customer'], isOneOf: [String(id)] }] })
      ).filter((subscription) => subscription.ended_at === null),
    ),
  'billing_portal.configuration.features.subscription_update.products': async (tx, { id }) => [
    ...((await configurationById(tx, String(id)))?.sandbox.products ?? []),
  ],
  'charge.refunds': async (tx, { id }) =>
    wholeList(
      `/v1/charges/${String(id)}/refunds`,
      (await tx.list('refund', { where: [{ path: ['charge'], isOneOf: [String(id)] }] })).map(
        (refund) => shown(refund),
      ),
    ),
}

const maxDepth = 4

/**
 * Replaces the named references by the referenced objects.
 * @throws StripeRefusal if a property cannot be expanded
 */
export async function expand(
  tx: ReadTransaction,
  object: object,
  paths: readonly string[],
): Promise<object> {
  const wanted: Tree = {}
  for (const path of paths) {
    const parts = path.split('.')
    if (parts.length > maxDepth)
      throw invalid(
        `You cannot expand more than ${maxDepth} levels of a property. Property: ${path}`,
      )
    let node = wanted
    for (const part of parts) node = node[part] ??= {}
  }
  return expandIn(tx, object as Fields, wanted, {
    owner: object as Fields,
    path: '',
    requested: '',
  })
}

interface Place {
  /**
   * The nearest enclosing object that has a kind, the path from this object, and the caller's path
   * so far.
   */
  readonly owner: Fields
  readonly path: string
  readonly requested: string
}

async function expandIn(
  tx: ReadTransaction,
  node: Fields,
  wanted: Tree,
  place: Place,
): Promise<Fields> {
  const result: Fields = { ...node }
  for (const [key, deeper] of Object.entries(wanted)) {
    const requested = join(place.requested, key)
    result[key] = await expandValue(
      tx,
      await valueAt(tx, node, key, { ...place, requested }),
      deeper,
      {
        ...place,
        path: join(place.path, key),
        requested,
      },
    )
  }
  return result
}

async function valueAt(
  tx: ReadTransaction,
  node: Fields,
  key: string,
  place: Place,
): Promise<unknown> {
  const include = inclusions[`${String(place.owner['object'])}.${join(place.path, key)}`]
  if (include && node[key] === undefined) return include(tx, place.owner)
  if (!(key in node)) throw invalid(`This property cannot be expanded (${place.requested}).`)
  return node[key]
}

async function expandValue(
  tx: ReadTransaction,
  value: unknown,
  deeper: Tree,
  place: Place,
): Promise<unknown> {
  if (value === null && leadsToReference(place)) return null
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value as unknown[]) items.push(await expandValue(tx, item, deeper, place))
    return items
  }
  if (typeof value === 'string') {
    const kind = references[String(place.owner['object'])]?.[place.path]
    if (kind === undefined) throw invalid(`This property cannot be expanded (${place.requested}).`)
    const { home, object } = await load(tx, kind, value)
    if (object === null)
      throw new DamagedStore(`The ${kind} ${value} is referenced but does not exist.`)
    const found = shown(object)
    return expandIn(home, found as Fields, deeper, {
      owner: found as Fields,
      path: '',
      requested: place.requested,
    })
  }
  if (typeof value === 'object' && value !== null) {
    const fields = value as Fields
    const isObject = typeof fields['object'] === 'string' && fields['object'] !== 'list'
    return expandIn(
      tx,
      fields,
      deeper,
      isObject ? { owner: fields, path: '', requested: place.requested } : place,
    )
  }
  throw invalid(`This property cannot be expanded (${place.requested}).`)
}

/**
 * Whether this place or a nested place can hold a reference. A null here is then a missing
 * reference.
 */
function leadsToReference({ owner, path }: Place): boolean {
  const known = Object.keys(references[String(owner['object'])] ?? {})
  return known.some((reference) => reference === path || reference.startsWith(`${path}.`))
}

/**
 * The object, and the account that has it: the fee of an account's charge is the platform's, and
 * the reverse.
 */
async function load(
  tx: ReadTransaction,
  kind: Kind | 'any',
  id: string,
): Promise<{ readonly home: ReadTransaction; readonly object: object | null }> {
  const here = kind === 'any' ? null : await find(tx, kind, id)
  if (here !== null) return { home: tx, object: here }
  const owner = await tx.ownerOf(id)
  if (owner === null || !isKind(owner.kind)) return { home: tx, object: null }
  const home = tx.on(owner.account)
  return { home, object: await find(home, owner.kind, id) }
}

async function find(tx: ReadTransaction, kind: Kind, id: string): Promise<object | null> {
  if (kind === 'price') return currentPrice(tx, id)
  if (kind === 'product') return productById(id) ?? tx.find(kind, id)
  return tx.find(kind, id)
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
