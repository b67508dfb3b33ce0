type Primitive = string | number | boolean | null | undefined

/** The words of a list. The SDK adds any text to its lists, so that a newer word compiles. */
type Words<Allowed> = Allowed extends string ? (string extends Allowed ? never : Allowed) : never
type Objects<Allowed> = Allowed extends Primitive | readonly unknown[] ? never : Allowed
type Names<Allowed> = Allowed extends unknown ? keyof Allowed : never
type At<Allowed, Name> = Allowed extends unknown
  ? Name extends keyof Allowed
    ? Allowed[Name]
    : never
  : never
type Items<Allowed> = Allowed extends readonly (infer Item)[] ? Item : never

/**
 * The names and words in `Given` that `Allowed` does not have, at every depth; never if it has all.
 * Assignability does not compare them: an object type with more names is assignable, and every text
 * is assignable to the SDK's lists of words.
 */
export type UnknownToSdk<Given, Allowed> = Given extends string
  ? [Words<Allowed>] extends [never]
    ? never
    : Exclude<Given, Words<Allowed>>
  : Given extends Primitive
    ? never
    : Given extends readonly (infer Item)[]
      ? UnknownToSdk<Item, Items<Allowed>>
      : {
          [Name in keyof Given]-?: Name extends Names<Objects<Allowed>>
            ? UnknownToSdk<Given[Name], At<Objects<Allowed>, Name>>
            : Name
        }[keyof Given]
