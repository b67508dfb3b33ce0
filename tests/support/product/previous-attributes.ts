import { expect } from '@jest/globals'
import type { TestSandbox } from './sandbox.ts'

/** An object as the API sends it, without the SDK's conversions. */
type Fields = Readonly<Record<string, unknown>> & { readonly id: string }
interface Sent {
  readonly type: string
  readonly data: { readonly object: Fields; readonly previous_attributes?: object }
}
/** A change in the life of objects. */
export interface Life {
  /** The paths of the objects that the change concerns. */
  readonly paths: readonly string[]
  readonly change: () => Promise<unknown>
}

/**
 * Makes the change and reads its events. The previous attributes of each event must lead back to
 * the object as it was before: as it was read, or as the event before shows it. Returns the types
 * of the `*.updated` events of the objects that the change concerns.
 */
export async function updatesOf({ url }: TestSandbox, { paths, change }: Life) {
  const states = new Map<string, Fields>()
  for (const path of paths) {
    const object = await get<Fields>(url, path)
    states.set(object.id, object)
  }
  const concerned = [...states.keys()]
  const [newest] = (await get<{ data: Fields[] }>(url, 'events?limit=1')).data
  await change()

  const reported: string[] = []
  for (const { type, data: sent } of await eventsAfter(url, newest?.id ?? '')) {
    const { object: after, previous_attributes: previous } = sent
    const before = states.get(after.id)
    if (type.endsWith('.updated')) {
      expect([type, previous]).toEqual([type, expect.any(Object)])
      if (concerned.includes(after.id)) reported.push(type)
    }
    if (before !== undefined && previous !== undefined) {
      const restored = withoutNulls({ ...after, ...previous })
      expect([type, restored]).toEqual([type, withoutNulls(before)])
      for (const [key, value] of Object.entries(previous))
        expect([type, key, value]).not.toEqual([type, key, after[key]])
    }
    states.set(after.id, after)
  }
  // No field changed without an event.
  for (const [index, path] of paths.entries())
    expect(await get<Fields>(url, path)).toEqual(states.get(concerned[index] ?? ''))
  return reported.toSorted()
}

async function get<T>(url: string, path: string): Promise<T> {
  const answer = await fetch(`${url}/v1/${path}`, {
    headers: { authorization: 'Bearer sk_test_sandbox' },
  })
  return (await answer.json()) as T
}

/** The events after this one, the oldest first. */
async function eventsAfter(url: string, id: string): Promise<readonly Sent[]> {
  const page = await get<{ data: (Sent & { id: string })[]; has_more: boolean }>(
    url,
    `events?limit=100&ending_before=${id}`,
  )
  const newest = page.data[0]?.id ?? id
  return [...page.data.toReversed(), ...(page.has_more ? await eventsAfter(url, newest) : [])]
}

/** A field that an object does not have is null in the previous attributes. */
function withoutNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
