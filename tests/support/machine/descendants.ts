import { readdirSync, readFileSync } from 'node:fs'

/** The processes that a process started, and those that these started. Needs /proc. */
export function descendantsOf(parent: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const of = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      children.set(of, [...(children.get(of) ?? []), Number(name)])
    } catch {
      // The process has ended in the meantime.
    }
  }
  const found: number[] = []
  for (let of: readonly number[] = [parent]; of.length > 0;) {
    of = of.flatMap((pid) => children.get(pid) ?? [])
    found.push(...of)
  }
  return found
}

/** The one descendant whose command line contains the text. @throws if there is none */
export function descendantWith(parent: number, text: string): number {
  const found = descendantsOf(parent).find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text),
  )
  if (found === undefined) throw new Error(`No process of ${parent} runs ${text}.`)
  return found
}
