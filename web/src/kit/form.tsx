import type { InputHTMLAttributes, ReactNode } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { Dialog, DialogActions, DialogBody } from './dialog.tsx'
import { Field, TextInput } from './field.tsx'
import styles from './form.module.css'
import type { FormState } from './form-state.ts'
import { ErrorNotice } from './notice.tsx'

/** A form in a window: its fields, what went wrong, and the button that repeats the verb of the title. */
export function FormDialog<Name extends string>({
  form,
  title,
  action,
  look,
  size,
  onClose,
  children,
}: {
  form: FormState<Name>
  title: string
  action: string
  look?: ButtonLook
  size?: 'small' | 'normal' | 'wide'
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} onClose={onClose} busy={form.busy} {...(size && { size })}>
      <FormElement form={form} className={styles.window}>
        <DialogBody>
          {children}
          {form.error != null && <ErrorNotice error={form.error} />}
        </DialogBody>
        <DialogActions action={action} {...(look && { look })} />
      </FormElement>
    </Dialog>
  )
}

/** The one form card: a part of a page with its title, what it is for, its fields, and a button that saves it. */
export function FormCard<Name extends string>({
  form,
  title,
  about,
  action,
  children,
}: {
  form: FormState<Name>
  title: string
  about?: ReactNode
  action: string
  children: ReactNode
}) {
  return (
    <Card title={title} about={about}>
      <FormElement form={form} className={styles.fields}>
        {children}
        {form.error != null && <ErrorNotice error={form.error} />}
        <div className={styles.actions}>
          <Button look="primary" submit busy={form.busy}>
            {action}
          </Button>
        </div>
      </FormElement>
    </Card>
  )
}

/** The ground of a form card, for what is saved when it is clicked, or is only read. */
export function Card({
  title,
  about,
  actions,
  children,
}: {
  title: string
  about?: ReactNode
  /** At the end of the line of the title. */
  actions?: ReactNode
  children?: ReactNode
}) {
  return (
    <section className={styles.card} aria-label={title}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>{title}</h2>
          {about !== undefined && <p>{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}

function FormElement<Name extends string>({
  form,
  className,
  children,
}: {
  form: FormState<Name>
  className: string | undefined
  children: ReactNode
}) {
  return (
    <form
      className={className}
      ref={form.ref}
      noValidate
      aria-busy={form.busy || undefined}
      onInput={form.touch}
      onSubmit={(event) => {
        event.preventDefault()
        // A window may stand, as React sees it, inside of another form.
        event.stopPropagation()
        form.submit()
      }}
    >
      {children}
    </form>
  )
}

export function TextField({
  label,
  hint,
  mistake,
  value,
  onChange,
  required = false,
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'id' | 'className'> & {
  label: string
  hint?: ReactNode
  mistake?: string | undefined
  value: string
  onChange: (value: string) => void
}) {
  return (
    <Field label={label} hint={hint} mistake={mistake}>
      {(wiring) => (
        <TextInput
          {...input}
          {...wiring}
          aria-required={required || undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
