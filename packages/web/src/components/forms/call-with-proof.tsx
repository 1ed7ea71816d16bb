import { modals } from '@mantine/modals'
import { useMutation } from '@tanstack/react-query'
import { CallError } from '../../api/call-error.ts'
import { call, type InputOf, type OutputOf } from '../../api/call.ts'
import { askForParts } from '../../shell/later.ts'
import { IdentityForm } from './identity-form.tsx'

/** Operations that ask people with a second factor to prove who they are, but only if what they allow lasts. */
type Guarded = 'create-integration' | 'update-integration' | 'create-key'

interface Proof {
  password: string
  code: string
}

/** Calls such an operation. If the server asks for the proof, asks the person in a dialog and calls again. */
export async function callWithProof<Name extends Guarded>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>> {
  try {
    return await call(name, input)
  } catch (error) {
    if (!(error instanceof CallError && 'code' in error.fields)) throw error
    await askForParts()
    return askForProof((proof) => call(name, { ...input, ...proof }))
  }
}

function askForProof<Output>(send: (proof: Proof) => Promise<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const id = modals.open({
      title: 'Confirm that it’s you',
      children: (
        <ProofForm
          send={send}
          onDone={(output) => {
            resolve(output)
            modals.close(id)
          }}
          onClose={() => modals.close(id)}
        />
      ),
      // Without effect once the call has succeeded.
      onClose: () => reject(new Error('Cancelled. This needs your password and a code.')),
    })
  })
}

interface FormProps<Output> {
  send: (proof: Proof) => Promise<Output>
  onDone: (output: Output) => void
  onClose: () => void
}

function ProofForm<Output>({ send, onDone, onClose }: FormProps<Output>) {
  const action = useMutation({ mutationFn: send, onSuccess: onDone })
  return (
    <IdentityForm asksCode action={action} label="Confirm" onClose={onClose}>
      What this allows an agent lasts longer than your session, so it needs your second factor.
    </IdentityForm>
  )
}
