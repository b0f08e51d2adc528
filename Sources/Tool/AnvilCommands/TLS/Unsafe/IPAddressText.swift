#if os(Linux)
internal import COpenSSL

/// A check of the text of IPv4 and IPv6 addresses, by the parser of OpenSSL.
enum IPAddressText {
  static func isValid(_ text: String) -> Bool {
    // Safety: the text is NUL-terminated during the call; the new string is freed here, and nothing else refers to it.
    guard let address = unsafe a2i_IPADDRESS(text) else {
      ERR_clear_error()
      return false
    }
    unsafe ASN1_OCTET_STRING_free(address)
    return true
  }
}
#endif
