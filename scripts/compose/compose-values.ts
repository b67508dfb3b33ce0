import { isObject, type Json, type JsonObject } from './read-compose-file.ts'

/** The names that a service's list or mapping refers to, in Compose's short and long forms. */
export function references(value: Json | undefined, areVolumes = false): string[] {
  if (isObject(value)) return Object.keys(value)
  if (!Array.isArray(value)) return []
  const names = (value as readonly Json[]).map((each) =>
    isObject(each) ? text(each['source']) : text(each),
  )
  // A volume in short form is `name:path`, or a path of the host.
  return areVolumes
    ? names.map((name) => name.split(':')[0] ?? '').filter((name) => !/^[./~]/.test(name))
    : names
}

export function objects(value: Json | undefined): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).map(([name, each]) => [name, objectOf(each)]),
  )
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

export function strings(value: Json | undefined): string[] {
  return Array.isArray(value)
    ? (value as readonly Json[]).map(text)
    : value === undefined
      ? []
      : [text(value)]
}

export function text(value: Json | undefined): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)
}

export function seconds(duration: string): number {
  return Number(/^(\d+)s$/.exec(duration)?.[1] ?? 0)
}
