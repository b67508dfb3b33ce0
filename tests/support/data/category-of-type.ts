import {
  eventsByCategory,
  type DomainEvent,
  type StreamCategory,
} from '#contracts/events/catalogue'

/** The category of the streams that contain events of this type. */
export function categoryOfType(type: DomainEvent['type']): StreamCategory {
  const categories = Object.keys(eventsByCategory) as StreamCategory[]
  const category = categories.find((each) => type in eventsByCategory[each])
  if (category === undefined) throw new Error(`No stream category has the event type '${type}'.`)
  return category
}
