import { eventLabel, type EventType } from '#contracts/event-labels'
import type { EventDefinitions } from '#contracts/events/define-event'
import { eventTags, type EventTag } from '#contracts/events/tags'
import type { DeclaredConsumer } from '#services/foundation/event-consumer'

const introduction = `# Events and their consumers

\`npm run event-matrix\` writes this page from the code, and \`npm run lint\` compares it. Do not edit it.

Each event type has tags where it is defined (\`contracts/events/\`), and each consumer declares the tags that concern it (\`eventConsumer\` in [\`services/foundation/event-consumer.ts\`](../services/foundation/event-consumer.ts)). A type without such a tag does not concern the consumer. A type with such a tag is folded, unless the consumer ignores it by name: a new type does not compile until each consumer that it concerns folds or ignores it. A decider folds every type of its own stream, which the compiler demands, too, and the titles, sentences and facts of the history name every type.

An empty cell of the tables: the type does not concern the consumer. A consumer that has no column in a table is not concerned by any type of the table.
`

/** The Markdown of docs/events.md. */
export function renderMatrix(
  eventsByCategory: Readonly<Record<string, EventDefinitions>>,
  consumers: readonly DeclaredConsumer[],
): string {
  const named = consumers.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [
    introduction,
    '## Tags\n',
    table(
      ['tag', 'about', 'concerns'],
      Object.entries(eventTags).map(([tag, about]) => [
        `\`${tag}\``,
        about,
        named
          .filter(({ concernedBy }) => concernedBy.some((each) => each === tag))
          .map(({ name }) => name)
          .join(', '),
      ]),
    ),
    ...Object.entries(eventsByCategory).map(([category, definitions]) =>
      categoryTable(category, definitions, named),
    ),
  ].join('\n')
}

function categoryTable(
  category: string,
  definitions: EventDefinitions,
  consumers: readonly DeclaredConsumer[],
): string {
  const types = Object.entries(definitions)
  const columns = consumers.filter((consumer) =>
    types.some(([, { tags }]) => isConcerned(consumer, tags)),
  )
  const rows = types.map(([type, { tags }]) => [
    `\`${type}\` ${eventLabel(type as EventType).title}`,
    tags.map((tag) => `\`${tag}\``).join(' '),
    ...columns.map((consumer) => answerOf(consumer, type, tags)),
  ])
  return `\n## Stream category \`${category}\`\n\n${table(['type', 'tags', ...columns.map(({ name }) => name)], rows)}`
}

function answerOf(consumer: DeclaredConsumer, type: string, tags: readonly EventTag[]): string {
  if (!isConcerned(consumer, tags)) return ''
  return consumer.folds.has(type) ? '**folds**' : 'ignores'
}

function isConcerned({ concernedBy }: DeclaredConsumer, tags: readonly EventTag[]): boolean {
  return concernedBy.some((tag) => tags.includes(tag))
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`
}
