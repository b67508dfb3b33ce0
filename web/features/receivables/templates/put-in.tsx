import { useId } from 'react'
import {
  templateVariables,
  variablesIn,
  type TemplateField,
} from '#contracts/receivables/template-language'

/** The variables as buttons. One puts itself where the caret is. */
export function PutIn({
  field,
  disabled,
  onPut,
}: {
  readonly field: TemplateField
  readonly disabled: boolean
  readonly onPut: (text: string) => void
}) {
  const id = useId()
  return (
    <div className="tpl-put" role="group" aria-labelledby={id}>
      <p id={id}>Put in</p>
      <div>
        {variablesIn(field).map((name) => (
          <button
            key={name}
            type="button"
            disabled={disabled}
            title={templateVariables[name]}
            onClick={() => onPut(`{${name}}`)}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}
