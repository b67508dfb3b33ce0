import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorBox } from '../../../ui/error-box.tsx'
import { areEqual, initialValues, renewedValues, type ActForm } from './act-form.ts'
import { ActFields } from './act-fields.tsx'
import { problemsOf, type Problems } from './form-problems.ts'
import './act-dialog.css'

interface ActDialogProps<Body> {
  readonly form: ActForm
  readonly schema: z.ZodType<Body>
  readonly busy: boolean
  /** The sentence of the last refusal, or null. */
  readonly problem: string | null
  readonly onSend: (body: Body) => void
  readonly onClose: () => void
  /** Above the fields. */
  readonly children?: ReactNode
}

/** Asks for the values of an act and says what the act changes. A refusal keeps what was typed. */
export function ActDialog<Body>({
  form,
  schema,
  busy,
  problem,
  onSend,
  onClose,
  children,
}: ActDialogProps<Body>) {
  const titleId = useId()
  const ref = useRef<HTMLFormElement>(null)
  const initial = initialValues(form.fields)
  const [shownInitial, setShownInitial] = useState(initial)
  const [values, setValues] = useState(initial)
  if (!areEqual(shownInitial, initial)) {
    setShownInitial(initial)
    setValues(renewedValues(values, shownInitial, initial))
  }
  const [problems, setProblems] = useState<Problems>({})
  const [refusals, setRefusals] = useState(0)
  const fields = form.fields.filter(({ isShown }) => isShown?.(values) ?? true)

  // The first wrong field has the focus, or else the reason of the refusal.
  useEffect(() => {
    if (refusals === 0 && problem === null) return
    const invalid = ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    const target = invalid ?? ref.current?.querySelector<HTMLElement>('[role=alert][tabindex]')
    target?.focus()
  }, [refusals, problem])

  function submit(): void {
    const body = form.body(values)
    const found = problemsOf(fields, values, schema, body)
    setProblems(found)
    const checked = schema.safeParse(body)
    if (Object.keys(found).length === 0 && checked.success) onSend(checked.data)
    else setRefusals(refusals + 1)
  }

  return (
    <Dialog labelledBy={titleId} width="confirm" onClose={onClose}>
      <form
        ref={ref}
        className="act"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) submit()
        }}
      >
        <h2 id={titleId}>{form.title}</h2>
        {form.intro !== undefined && <p className="act-intro">{form.intro}</p>}
        <ErrorBox text={problem} />
        {children}
        <ActFields
          fields={fields}
          values={values}
          problems={problems}
          onChange={(name, value) => {
            setValues({ ...values, [name]: value })
            setProblems(without(problems, name))
          }}
        />
        <p className="act-says">{form.says(values)}</p>
        <div className="act-buttons">
          <Button type="submit" size="md" className={form.isRisky ? 'act-risky' : ''} busy={busy}>
            {form.button(values)}
          </Button>
          <Button look="line" size="md" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const without = (problems: Problems, name: string): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([field]) => field !== name))
