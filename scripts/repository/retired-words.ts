import { readFileSync } from 'node:fs'
import { trackedFiles } from './git.ts'

const page = 'docs/style.md'

/** Fields of the API whose names stay. */
const ofApi = new Set(['mostUnits'])

/** Where the code has a name that the glossary replaced by another word. */
export function retiredWords(): readonly string[] {
  const retired = namesOf(readFileSync(page, 'utf8'))
  if (retired.length === 0) return [`${page} has no glossary with a column 'not called'.`]
  const any = new RegExp(retired.map(({ pattern }) => pattern.source).join('|'))
  return trackedFiles('*.ts', '*.tsx', '*.mjs').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    if (!any.test(text)) return []
    return text
      .split('\n')
      .flatMap((line, index) =>
        retired.flatMap(({ pattern, word }) =>
          [...line.matchAll(new RegExp(pattern, 'g'))]
            .filter(([found]) => !ofApi.has(found))
            .map(
              ([found]) =>
                `${file}:${index + 1}: '${found}' is called ${word} in the glossary of ${page}: use its word, or correct the glossary.`,
            ),
        ),
      )
  })
}

/** The names of the column 'not called', with the word of their row. */
function namesOf(text: string): readonly { readonly word: string; readonly pattern: RegExp }[] {
  const glossary = /\n## Glossary\n(.*?)(?=\n## )/s.exec(text)?.[1] ?? ''
  return glossary.split('\n').flatMap((line) => {
    const [, word = '', , names = ''] = line.split('|').map((cell) => cell.trim())
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({
      word,
      pattern: patternOf(name),
    }))
  })
}

/** A name with `…` is the beginning of a longer one, and a name with `(` a call. */
function patternOf(name: string): RegExp {
  if (name.endsWith('…')) return new RegExp(`\\b${name.slice(0, -1)}[A-Z]\\w*`)
  return new RegExp(name.endsWith('(') ? `\\b${name.slice(0, -1)}\\(` : `\\b${name}\\b`)
}
