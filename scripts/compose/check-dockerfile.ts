import { existsSync } from 'node:fs'
import { join } from 'node:path'

interface Instruction {
  readonly name: string
  readonly rest: string
}

/**
 * Checks a Dockerfile without an engine. Returns the problems as sentences:
 * - a base image that is not pinned
 * - a stage that does not exist
 * - a source that is missing in `root` or excluded by .dockerignore
 * - a program without a source file
 * - an image that runs as root or has no health check
 */
export function checkDockerfile(
  dockerfile: string,
  dockerignore: string,
  root: string,
): readonly string[] {
  const instructions = parse(dockerfile)
  const defaults = new Map(
    instructions
      .filter(({ name }) => name === 'ARG')
      .map(({ rest }) => rest.split('=', 2) as [string, string | undefined]),
  )
  const allowed = dockerignore
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1).trim())
  const stages: string[] = []
  const problems: string[] = []
  let last: Instruction[] = []

  for (const instruction of instructions) {
    const words = instruction.rest.split(/\s+/)
    last.push(instruction)
    if (instruction.name === 'FROM') {
      last = []
      const image = (words[0] ?? '').replace(
        /\$\{(\w+)\}/g,
        (_all, name: string) => defaults.get(name) ?? '',
      )
      if (!stages.includes(image) && !/:v?\d+\.\d+\.\d+[\w.-]*$|@sha256:[0-9a-f]{64}$/.test(image))
        problems.push(
          `FROM ${words[0]}: '${image}' is neither an earlier stage nor pinned to a version.`,
        )
      stages.push(words[2] ?? '')
    }
    if (instruction.name === 'COPY') problems.push(...checkCopy(words))
  }

  const final = (name: string) => last.findLast((each) => each.name === name)?.rest ?? ''
  if (['', '0', 'root'].includes(final('USER').split(':')[0] ?? ''))
    problems.push('The image runs as root: its last stage needs a USER.')
  if (final('HEALTHCHECK') === '') problems.push('The last stage has no HEALTHCHECK.')
  for (const [, program] of `${final('CMD')} ${final('ENTRYPOINT')}`.matchAll(
    /dist\/([\w./-]+)\.js/g,
  )) {
    if (!existsSync(join(root, `${program}.ts`)))
      problems.push(
        `The image starts dist/${program}.js, but its source ${program}.ts does not exist.`,
      )
  }
  return problems.map((problem) => `Dockerfile: ${problem}`)

  function checkCopy(words: readonly string[]): string[] {
    const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
    if (from !== undefined)
      return stages.slice(0, -1).includes(from)
        ? []
        : [`COPY --from=${from}: there is no earlier stage of that name.`]
    return words
      .filter((word) => !word.startsWith('--'))
      .slice(0, -1)
      .flatMap((source) => [
        ...(existsSync(join(root, source)) ? [] : [`COPY ${source}: there is no such file.`]),
        ...(allowed.some((path) => source === path || source.startsWith(`${path}/`))
          ? []
          : [`COPY ${source}: .dockerignore excludes it. Add !${source} there.`]),
      ])
  }
}

/** The instructions without comments. Continued lines are joined. */
function parse(dockerfile: string): Instruction[] {
  return dockerfile
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
      return name === undefined || rest === undefined ? [] : [{ name, rest: rest.trim() }]
    })
}
