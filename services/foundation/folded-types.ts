import type { DomainEvent } from '#contracts/events/catalogue'

interface FoldedTypes<Type extends DomainEvent['type']> {
  readonly types: ReadonlySet<Type>
  isFolded<Event extends DomainEvent>(event: Event): event is Extract<Event, { type: Type }>
}

/**
 * The event types of `definitions` without the ignored types. A reader need not decode an ignored
 * event. A new type is folded until it is ignored, so a switch over the folded types does not
 * compile without it.
 */
export function foldedTypes<Type extends DomainEvent['type'], Ignored extends Type>(
  definitions: Readonly<Record<Type, unknown>>,
  ignoredTypes: readonly Ignored[],
): FoldedTypes<Exclude<Type, Ignored>> {
  const ignored: ReadonlySet<string> = new Set(ignoredTypes)
  const isFoldedType = (type: string): type is Exclude<Type, Ignored> =>
    Object.hasOwn(definitions, type) && !ignored.has(type)
  return {
    types: new Set(Object.keys(definitions).filter(isFoldedType)),
    isFolded: <Event extends DomainEvent>(
      event: Event,
    ): event is Extract<Event, { type: Exclude<Type, Ignored> }> => isFoldedType(event.type),
  }
}
