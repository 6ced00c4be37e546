/** The code of an error of Node, OpenSSL or undici, for example `ENOTFOUND`; never its message, which may quote the peer. */
export function codeOf(error: unknown): string {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { name, code, cause, errors }: { name?: unknown; code?: unknown; cause?: unknown; errors?: unknown } = at;
    if (typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,63}$/.test(code)) {
      return code;
    }
    // undici means to say which rule of HTTP was broken, but looks it up in the wrong direction.
    if (name === 'HTTPParserError') {
      return 'HPE_INVALID';
    }
    // `fetch` wraps the reason, two dead addresses come as a list of reasons.
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return 'UNKNOWN';
}

/** The step at which a connection failed that was never made, as far as the code tells. */
export function stepOf(code: string): 'dns' | 'refused' | 'tls' | 'network' {
  if (/^(?:ENOTFOUND|ENODATA|EAI_.*)$/.test(code)) {
    return 'dns';
  }
  if (code === 'ECONNREFUSED') {
    return 'refused';
  }
  return tlsCode.test(code) ? 'tls' : 'network';
}

/** OpenSSL's verification results (X509_V_ERR_…, without their prefix) and what Node makes of handshakes that fail. */
const tlsCode =
  /^(?:ERR_(?:TLS|SSL|OSSL)_.*|EPROTO|CERT_.*|CRL_.*|UNABLE_TO_.*|ERROR_IN_(?:CERT|CRL)_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|OUT_OF_MEM)$/;
