/**
 * Checks the proxy's configuration without Caddy. Returns the problems as sentences:
 * - a log that keeps queries and headers, which may hold a customer's address
 * - a dial to a container that is gone without a short limit
 */
export function checkCaddyfile(caddyfile: string): readonly string[] {
  const lines = caddyfile
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('#'))
  const logs = blocksOf(lines, /^log\b.*\{$/)
  const filter = (blocksOf(lines, /^\(private\) \{$/)[0] ?? []).join(' ')
  const problems = [
    // The token of a client portal is part of the path.
    ...(filter.includes(String.raw`request>uri regexp (/pay/)[^/?]*|\?.* $1`) &&
    filter.includes('request>headers delete')
      ? []
      : [
          'the snippet (private) must remove the query, the token after /pay/ and the headers of a request.',
        ]),
    ...(logs.some(([head]) => head === 'log default {')
      ? []
      : ['log default must be configured: without it Caddy writes whole queries.']),
    ...logs.flatMap(([head, ...body]) =>
      body.includes('import private') ? [] : [`${head?.slice(0, -2)} must import private.`],
    ),
    ...(lines.some((line) => /^dial_timeout \d+ms$/.test(line))
      ? []
      : [
          'reverse_proxy needs a dial_timeout below 1 s: a container that is gone answers nothing.',
        ]),
  ]
  return problems.map((problem) => `Caddyfile: ${problem}`)
}

/** The lines of each block whose first line matches, without the block's end. */
function blocksOf(lines: readonly string[], head: RegExp): readonly (readonly string[])[] {
  return lines.flatMap((line, at) => {
    if (!head.test(line)) return []
    let depth = 0
    const length = lines.slice(at).findIndex((each) => {
      depth += each.endsWith('{') ? 1 : each === '}' ? -1 : 0
      return depth === 0
    })
    return [lines.slice(at, at + length)]
  })
}
