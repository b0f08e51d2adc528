#if os(Linux)
internal import COpenSSL

/// The text of IPv4 and IPv6 addresses, as OpenSSL reads it.
enum IPAddressText {
  static func isValid(_ text: String) -> Bool {
    // Safety: the text is NUL-terminated during the call; the new string is freed here, and nobody else has it.
    guard let address = unsafe a2i_IPADDRESS(text) else {
      ERR_clear_error()
      return false
    }
    unsafe ASN1_OCTET_STRING_free(address)
    return true
  }
}
#endif
