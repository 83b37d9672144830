import { type InputHTMLAttributes, type ReactNode, type RefObject, useEffect } from 'react'
import { Button, type ButtonLook } from './button.tsx'
import { classes } from './classes.ts'
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

type FormParts<Name extends string> = {
  form: FormState<Name>
  /** Replaces the one button with `action`: several, or one with another look. */
  actions: ReactNode
  /** One field with its button beside it. */
  inline?: boolean
  /** The first field gets the focus: for pages that are nothing but this form. */
  startsHere?: boolean
  children: ReactNode
}

const FIRST_FIELD = ':is(input, select, textarea):not([tabindex="-1"])'

/** The fields, what went wrong, and what can be done, in this order. */
export function Form<Name extends string>({
  form,
  actions,
  inline = false,
  startsHere = false,
  children,
}: FormParts<Name>) {
  useEffect(() => {
    if (startsHere) form.ref.current?.querySelector<HTMLElement>(FIRST_FIELD)?.focus()
  }, [startsHere, form.ref])
  return (
    <FormElement form={form} className={inline ? styles.inline : styles.fields}>
      {children}
      {form.error != null && <ErrorNotice error={form.error} />}
      <div className={styles.actions}>{actions}</div>
    </FormElement>
  )
}

/** The one form card: a part of a page with its title, what it is for, its fields, and a button that saves it. */
export function FormCard<Name extends string>({
  form,
  title,
  about,
  action,
  actionLabel,
  children,
}: {
  form: FormState<Name>
  title: string
  about?: ReactNode
  action: string
  /** An accessible name, for buttons whose text alone does not say what they save. */
  actionLabel?: string
  children: ReactNode
}) {
  return (
    <Card title={title} about={about}>
      <Form
        form={form}
        actions={
          <Button submit busy={form.busy} aria-label={actionLabel}>
            {action}
          </Button>
        }
      >
        {children}
      </Form>
    </Card>
  )
}

/** The ground of a form card, for what is saved when it is clicked, or is only read. */
export function Card({
  title,
  heading,
  label = title,
  mark,
  about,
  actions,
  isWide = false,
  children,
}: {
  /** The page's heading names the card if this is left out. */
  title?: string | undefined
  /** Ref of the title, so that it can receive the focus. */
  heading?: RefObject<HTMLHeadingElement | null>
  label?: string | undefined
  /** Behind the title: a state. */
  mark?: ReactNode
  about?: ReactNode
  /** At the end of the line of the title. */
  actions?: ReactNode
  /** Full page width, for lists rather than forms. */
  isWide?: boolean
  children?: ReactNode
}) {
  return (
    <section className={classes(styles.card, isWide && styles.wide)} aria-label={label}>
      {title !== undefined && (
        <div className={styles.head}>
          <div className={styles.words}>
            <div className={styles.title}>
              <h2 ref={heading} tabIndex={heading && -1}>
                {title}
              </h2>
              {mark}
            </div>
            {about !== undefined && <p>{about}</p>}
          </div>
          {actions}
        </div>
      )}
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
    <Field label={label} hint={hint} mistake={mistake} required={required}>
      {(wiring) => (
        <TextInput {...input} {...wiring} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  )
}
