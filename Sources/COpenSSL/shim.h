/// OpenSSL, for servers on loopback that use TLS: functions in place of macros that Swift cannot import.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#if __has_include(<openssl/ssl.h>)
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#else
#error "openssl/ssl.h is not there: install libssl-dev (Debian, Ubuntu) or openssl-devel (Fedora)"
#endif

// The name of the library that is loaded contains its major version, so that it needs no check at run time.
#if OPENSSL_VERSION_NUMBER < 0x30000000L
#error "OpenSSL 3.0 or newer is needed"
#endif

/// A new key on the curve P-256.
static inline EVP_PKEY *anvil_openssl_new_key(void) { return EVP_EC_gen("P-256"); }

/// Refuses renegotiation, with which reading could have to wait until the socket can be written.
static inline void anvil_openssl_refuse_renegotiation(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
}

/// Selects http/1.1 among the protocols of the client. Source: RFC 7301 §3.2.
static int anvil_openssl_select_http1(
    SSL *session, const unsigned char **selected, unsigned char *count, const unsigned char *offered,
    unsigned int offered_count, void *context) {
  static const unsigned char http1[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  (void)session;
  (void)context;
  // The function has no const; it sets a pointer into one of the two lists.
  if (SSL_select_next_proto((unsigned char **)selected, count, http1, sizeof http1, offered, offered_count) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  return SSL_TLSEXT_ERR_OK;
}

/// Has a server negotiate http/1.1 with clients that offer protocols, and refuse those that offer only others.
static inline void anvil_openssl_offer_http1(SSL_CTX *context) {
  SSL_CTX_set_alpn_select_cb(context, anvil_openssl_select_http1, 0);
}

#endif
