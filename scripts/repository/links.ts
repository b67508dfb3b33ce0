import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pages } from './pages.ts'

/** The links of the documentation whose file or heading does not exist. */
export function brokenLinks(): readonly string[] {
  return pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => !exists(page, link))
      .map((link) => `${page} links to ${link}, which does not exist.`),
  )
}

function exists(page: string, link: string): boolean {
  const [path = '', heading] = link.split('#')
  const target = path === '' ? page : relative('.', join(dirname(page), path))
  return existsSync(target) && (heading === undefined || anchorsOf(target).has(heading))
}

/** The relative links of a page. */
function linksOf(page: string): readonly string[] {
  return [...withoutCode(page).matchAll(/\]\(([^()\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  return new Set(
    [...withoutCode(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )
}

function withoutCode(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
}
