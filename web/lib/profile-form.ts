import { useEffect, useRef, useState, type RefObject } from 'react'
import type { z } from 'zod'
import { errorText, isApiError } from './http.ts'

/** The company profile form: every field is text and initially empty. */
export const emptyProfile = {
  full_name: '',
  company_name: '',
  domain: '',
  website_url: '',
  address: '',
  city: '',
  state: '',
  zipcode: '',
  support_email: '',
  support_phone: '',
}

export type ProfileFields = typeof emptyProfile
type ProfileErrors = Partial<Record<keyof ProfileFields, string>>

const required = [
  'full_name',
  'company_name',
  'domain',
  'address',
  'state',
  'zipcode',
  'support_email',
  'support_phone',
] as const

const names = [...required, 'website_url', 'city'] as const

/** True if the texts differ only in the space around them. */
export function isSame(a: ProfileFields, b: ProfileFields): boolean {
  return names.every((name) => a[name].trim() === b[name].trim())
}

/** True if every required field is filled. Submitting checks the values. */
export function isComplete(fields: ProfileFields): boolean {
  return required.every((name) => fields[name].trim() !== '')
}

export interface ProfileForm {
  readonly ref: RefObject<HTMLFormElement | null>
  readonly fields: ProfileFields
  readonly errors: ProfileErrors
  /** The text of the error box, or null. */
  readonly problem: string | null
  change(name: keyof ProfileFields, text: string): void
  /** Shows other values without errors, such as the saved ones. */
  replace(fields: ProfileFields): void
  /** The request if the schema accepts the form. Otherwise null, and the fields show the errors. */
  check<Request>(schema: z.ZodType<Request>, others?: object): Request | null
  /** Shows other values with a sentence, and sentences at fields. */
  explain(fields: ProfileFields, problem: string, errors: ProfileErrors): void
  /** Shows the server's refusal in the error box, and at the field that the server named. */
  refuse(error: unknown, fallback: string): void
}

/**
 * The state of a company profile form. After a refusal the first invalid field has the focus, or
 * else the error box: on a phone, the box is out of view when the button below the fields is
 * pressed.
 */
export function useProfileForm(initial: ProfileFields): ProfileForm {
  const ref = useRef<HTMLFormElement>(null)
  const [fields, setFields] = useState(initial)
  const [errors, setErrors] = useState<ProfileErrors>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [refusals, setRefusals] = useState(0)

  useEffect(() => {
    if (refusals === 0) return
    const invalid = ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const target = invalid ?? ref.current?.querySelector<HTMLElement>('[role=alert]')
    target?.focus()
  }, [refusals])

  function show(nextErrors: ProfileErrors, nextProblem: string | null) {
    setErrors(nextErrors)
    setProblem(nextProblem)
  }

  return {
    ref,
    fields,
    errors,
    problem,
    change(name, text) {
      setFields({ ...fields, [name]: text })
      setErrors({ ...errors, [name]: undefined })
    },
    replace(next) {
      setFields(next)
      show({}, null)
    },
    explain(next, nextProblem, nextErrors) {
      setFields(next)
      show(nextErrors, nextProblem)
      setRefusals(refusals + 1)
    },
    check(schema, others) {
      const request = schema.safeParse({ ...fields, ...others })
      show(request.success ? {} : firstOfEachField(request.error), null)
      if (request.success) return request.data
      setRefusals(refusals + 1)
      return null
    },
    refuse(error, fallback) {
      const field = isApiError(error) ? error.field : undefined
      show(
        isApiError(error) && field !== undefined && field in emptyProfile
          ? { [field]: error.error ?? error.reason }
          : {},
        errorText(error, fallback),
      )
      setRefusals(refusals + 1)
    },
  }
}

function firstOfEachField({ issues }: z.ZodError): ProfileErrors {
  return Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [String(path[0]), message]),
  )
}
