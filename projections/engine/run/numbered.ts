import type { Numbered } from '../read-model.ts'

/**
 * Numbers the events that follow the first `before` events of the log, and returns those that
 * `isWanted`. The others are not copied: most read models fold few of the events of a log.
 */
export function numbered<Event extends object>(
  events: readonly Event[],
  before: number,
  isWanted: (event: Event) => boolean = () => true,
): readonly Numbered<Event>[] {
  const wanted: Numbered<Event>[] = []
  for (const [index, event] of events.entries())
    if (isWanted(event)) wanted.push({ ...event, number: before + index + 1 })
  return wanted
}

/**
 * The events with the numbers that `numbers` has for their ids.
 * @throws an error that names an event without a number
 */
export function withNumbers<Event extends { readonly id: string }>(
  events: readonly Event[],
  numbers: ReadonlyMap<string, number>,
): readonly Numbered<Event>[] {
  return events.map((event) => {
    const number = numbers.get(event.id)
    if (number === undefined) throw new Error(`Event ${event.id} has no number.`)
    return { ...event, number }
  })
}
