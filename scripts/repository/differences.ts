/** What a place states and the code does not have, is stated twice, or is missing there. */
export function differences(
  where: string,
  { stated, actual }: { readonly stated: readonly string[]; readonly actual: readonly string[] },
): readonly string[] {
  const twice = stated.filter((one, at) => stated.indexOf(one) !== at)
  return [
    ...actual.filter((one) => !stated.includes(one)).map((one) => `${where} lacks ${one}.`),
    ...stated
      .filter((one) => !actual.includes(one))
      .map((one) => `${where} has ${one}, which does not exist.`),
    ...twice.map((one) => `${where} has ${one} twice.`),
  ]
}

/** The same values, in this order. */
export function sameList(
  where: string,
  { stated, actual }: { readonly stated: readonly unknown[]; readonly actual: readonly unknown[] },
): readonly string[] {
  const [states, has] = [stated, actual].map((list) => JSON.stringify(list))
  return states === has ? [] : [`${where} states ${states}, but the code has ${has}.`]
}
