import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'

/*
 * A page keeps the styles of the pages before it, so a rule for a class alone also styles the
 * elements of another feature that have this class.
 */

const features = join(import.meta.dirname, '../../web/features')

function textsOf(feature: string, ending: string): string[] {
  return readdirSync(join(features, feature), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join(features, feature, path), 'utf8'))
}

const matchesOf = (texts: readonly string[], pattern: RegExp) =>
  texts.flatMap((text) => [...text.matchAll(pattern)].map(([, match = '']) => match))

/** The classes that a rule styles without another condition: `.contact { … }`. */
const styledBy = (feature: string) =>
  matchesOf(textsOf(feature, '.css'), /^\s*([^{}@]+)\{/gm)
    .flatMap((selectors) => selectors.split(','))
    .flatMap((selector) => /^\.([\w-]+)$/.exec(selector.trim())?.[1] ?? [])

const classesOf = (feature: string) =>
  matchesOf(textsOf(feature, '.tsx'), /className="([^"]+)"/g).flatMap((names) => names.split(' '))

it('styles no element of another feature by its class alone', () => {
  const all = readdirSync(features)
  const styled = new Map(all.map((feature) => [feature, new Set(styledBy(feature))]))
  expect(styled.get('landing')).toContain('contact')
  const shared = all.flatMap((feature) =>
    [...new Set(classesOf(feature))].flatMap((name) =>
      all
        .filter((other) => other !== feature && styled.get(other)?.has(name))
        .map((other) => `${other} styles .${name} of ${feature}`),
    ),
  )
  expect(shared).toEqual([])
})
