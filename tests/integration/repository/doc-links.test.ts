import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const pages = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => join('docs', file)),
]

describe('the links of the documentation', () => {
  it.each(pages)('of %s name files and headings that exist', (page) => {
    const missing = linksOf(page).filter((link) => {
      const [path = '', heading] = link.split('#')
      const target = path === '' ? page : relative('.', join(dirname(page), path))
      if (!existsSync(target)) return true
      return heading !== undefined && !anchorsOf(target).has(heading)
    })
    expect(missing).toEqual([])
  })
})

/** The relative links of a page. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}
