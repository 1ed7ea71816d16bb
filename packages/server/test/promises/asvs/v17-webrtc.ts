import { level2, notApplicable, type Chapter } from './requirement.ts'

const none = notApplicable('Holdfast uses no WebRTC.')

export const webRtc: Chapter = {
  id: 'V17',
  name: 'WebRTC',
  requirements: {
    '17.1.1': level2('TURN reaches no special addresses', none),
    '17.2.1': level2('Keys of DTLS are protected', none),
    '17.2.2': level2('DTLS uses approved ciphers', none),
    '17.2.3': level2('SRTP is authenticated', none),
    '17.2.4': level2('Broken SRTP packets are survived', none),
    '17.3.1': level2('Floods of signaling are survived', none),
    '17.3.2': level2('Broken signaling is survived', none),
  },
}
