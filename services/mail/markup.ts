import { escapeMarkup } from '#contracts/escape-markup'

/** HTML whose values are escaped. Only `markup` creates it. */
export class Markup {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }
}

type Part = string | Markup | readonly Markup[]

/**
 * Template tag of HTML. Escapes every value that is no Markup. Its name is not `html`, because the
 * formatter breaks the lines of `html` templates, and a new line in a text is a space.
 */
export function markup(literals: TemplateStringsArray, ...values: readonly Part[]): Markup {
  return new Markup(String.raw({ raw: literals }, ...values.map(sourceOf)))
}

function sourceOf(value: Part): string {
  if (typeof value === 'string') return escapeMarkup(value)
  return value instanceof Markup ? value.source : value.map(({ source }) => source).join('')
}
