import type { ProfileFields } from './profile-form.ts'

export interface MergedProfile {
  readonly fields: ProfileFields
  /** A sentence per field that was changed to different texts in both places. */
  readonly conflicts: Partial<Record<keyof ProfileFields, string>>
}

/**
 * The typed fields on top of a profile that was changed meanwhile. `base` is what the form showed
 * before. A field that was changed in one place has this change. A field that was changed in both
 * keeps the typed text, and its sentence states the other one.
 */
export function mergeProfile(
  base: ProfileFields,
  typed: ProfileFields,
  saved: ProfileFields,
): MergedProfile {
  const fields = { ...typed }
  const conflicts: Partial<Record<keyof ProfileFields, string>> = {}
  for (const name of Object.keys(base) as (keyof ProfileFields)[]) {
    const isTyped = typed[name].trim() !== base[name].trim()
    if (!isTyped) fields[name] = saved[name]
    else if (saved[name] !== base[name] && saved[name] !== typed[name].trim())
      conflicts[name] =
        saved[name] === '' ? 'It was emptied meanwhile.' : `Saved meanwhile: ${saved[name]}`
  }
  return { fields, conflicts }
}
