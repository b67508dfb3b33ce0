import type { NewSpan, Spans } from '#services/tracing/spans'

/**
 * The same object, whose functions with these names run in a span. The functions must return
 * promises.
 * @param group the first part of the name of a span, such as `query users`
 */
export function tracedFunctions<Group extends object>(
  spans: Spans,
  group: string,
  target: Group,
  names: readonly (keyof Group & string)[],
  kind: NewSpan['kind'] = 'internal',
): Group {
  const traced = new Map<string | symbol, unknown>()
  for (const name of names) {
    const original: unknown = target[name]
    if (typeof original !== 'function') continue
    const options = { name: `${group}.${name}`, kind }
    traced.set(name, (...given: unknown[]) =>
      spans.inside(options, () =>
        Promise.resolve(Reflect.apply(original, target, given) as unknown),
      ),
    )
  }
  return new Proxy(target, {
    get: (of, name) => (traced.has(name) ? traced.get(name) : Reflect.get(of, name, of)),
  })
}
