import { eventsByCategory, type DomainEvent } from '#contracts/events/catalogue'
import type { EventDefinitions } from '#contracts/events/define-event'
import type { EventTag } from '#contracts/events/tags'

type Catalogue = typeof eventsByCategory

/** The event types that have at least one of the tags. */
export type TypesWith<Tag extends EventTag> = {
  [Category in keyof Catalogue]: {
    [Type in keyof Catalogue[Category]]: Catalogue[Category][Type] extends {
      readonly tags: readonly (infer Tagged)[]
    }
      ? Extract<Tagged, Tag> extends never
        ? never
        : Type
      : never
  }[keyof Catalogue[Category]]
}[keyof Catalogue]

/**
 * What reads events of several kinds: a read model, a report, a control, a reactor. A type without
 * any of its tags does not concern it. A type that concerns it is folded or ignored.
 */
export interface EventConsumer<Type extends DomainEvent['type'] = DomainEvent['type']> {
  /** Its column in docs/events.md. */
  readonly name: string
  readonly concernedBy: readonly EventTag[]
  readonly folds: ReadonlySet<Type>
  readonly ignores: ReadonlySet<DomainEvent['type']>
  isFolded<Event extends DomainEvent>(event: Event): event is Extract<Event, { type: Type }>
}

/** The event types that the consumer folds. */
export type FoldedBy<Consumer> = Consumer extends EventConsumer<infer Type> ? Type : never

const declared = new Map<string, DeclaredConsumer>()

/** What docs/events.md needs of a consumer. */
export interface DeclaredConsumer {
  readonly name: string
  readonly concernedBy: readonly EventTag[]
  readonly folds: ReadonlySet<string>
  readonly ignores: ReadonlySet<string>
}

/** The consumers of the modules that were loaded. */
export function declaredConsumers(): readonly DeclaredConsumer[] {
  return [...declared.values()]
}

/**
 * Declares a consumer by the tags that concern it and the types that it ignores nevertheless. A new
 * type with such a tag is folded until it is ignored, so a switch over the folded types does not
 * compile without it. A reader need not decode an ignored event.
 *
 * @throws Error if another consumer has the name
 */
export function eventConsumer<
  const Tag extends EventTag,
  const Ignored extends TypesWith<Tag> = never,
>({
  name,
  concernedBy,
  ignores = [],
}: {
  readonly name: string
  readonly concernedBy: readonly Tag[]
  readonly ignores?: readonly Ignored[]
}): EventConsumer<Exclude<TypesWith<Tag>, Ignored>> {
  const tags: ReadonlySet<string> = new Set(concernedBy)
  const ignored: ReadonlySet<string> = new Set(ignores)
  const isFoldedType = (type: string): type is Exclude<TypesWith<Tag>, Ignored> =>
    tagsOf.get(type)?.some((tag) => tags.has(tag)) === true && !ignored.has(type)
  const consumer = {
    name,
    concernedBy,
    folds: new Set([...tagsOf.keys()].filter(isFoldedType)),
    ignores: new Set(ignores),
    isFolded: <Event extends DomainEvent>(
      event: Event,
    ): event is Extract<Event, { type: Exclude<TypesWith<Tag>, Ignored> }> =>
      isFoldedType(event.type),
  }
  if (declared.has(name)) throw new Error(`Two event consumers have the name '${name}'.`)
  declared.set(name, consumer)
  return consumer
}

const tagsOf: ReadonlyMap<string, readonly EventTag[]> = new Map(
  Object.values<EventDefinitions>(eventsByCategory).flatMap((definitions) =>
    Object.entries(definitions).map(([type, { tags }]) => [type, tags] as const),
  ),
)
