import { changeInstructionsRequest } from '#contracts/receivables/payments'
import { useChangeInstructionsMutation } from '../../../api/payments-api.ts'
import { TextAreaField } from '../../../ui/field.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { SettingActs } from './setting-acts.tsx'
import type { TypedSetting } from './use-typed.ts'

interface InstructionsPanelProps {
  readonly instructions: TypedSetting
  readonly readOnly: boolean
}

/** What is wrong with typed instructions. Null: they can be saved, or nothing is typed. */
function problemOf(text: string): string | null {
  if (text.trim() === '') return null
  const read = changeInstructionsRequest.safeParse({ text, seen: null })
  return read.error?.issues[0]?.message ?? null
}

/** Other ways to pay, in the merchant's words. */
export function InstructionsPanel({ instructions, readOnly }: InstructionsPanelProps) {
  const { text, saved, seen, isDirty, type, forget } = instructions
  const [change] = useChangeInstructionsMutation()
  const problem = problemOf(text)
  return (
    <Panel title="Written instructions">
      <div className="ways-body">
        <p className="ways-text">
          How to pay by check, in cash or by bank transfer. Your clients read it on their page as
          you write it. You record the payment. There is no fee.
        </p>
        <TextAreaField
          label="Instructions"
          optional
          rows={5}
          value={text}
          placeholder={
            'Checks: to Alder Dental, 1140 Alder Street\nPlease write the invoice number on it.'
          }
          readOnly={readOnly}
          dir="auto"
          {...(problem === null ? {} : { error: problem })}
          onChange={(event) => type(event.target.value)}
        />
        {!readOnly && (
          <SettingActs
            what="instructions"
            plural
            text={text}
            saved={saved}
            isDirty={isDirty}
            canSave={problem === null && text.trim() !== ''}
            save={(key, next) => change({ key, body: { text: next, seen } })}
            onDone={forget}
          />
        )}
      </div>
    </Panel>
  )
}
