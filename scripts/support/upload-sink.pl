#!/usr/bin/env perl
# Reads the bodies of HTTP/1.1 requests to their ends, whatever their size, keeps nothing of them and answers with how many
# bytes there were. nginx has no way of its own to do that: it answers before it has read what it does not need.
#
#   upload-sink.pl SOCKET     listens at that path; a connection is for one request
use strict;
use warnings;
use Socket;

my ($path) = @ARGV;
die "usage: upload-sink.pl SOCKET\n" unless defined $path;
$SIG{CHLD} = 'IGNORE';
$SIG{PIPE} = 'IGNORE';
socket(my $listener, AF_UNIX, SOCK_STREAM, 0) or die "socket: $!\n";
bind($listener, sockaddr_un($path)) or die "bind $path: $!\n";
listen($listener, 1024) or die "listen: $!\n";

while (1) {
  accept(my $connection, $listener) or next;
  my $child = fork;
  die "fork: $!\n" unless defined $child;
  if ($child == 0) {
    close $listener;
    answer($connection);
    exit 0;
  }
  close $connection;
}

sub answer {
  my ($connection) = @_;
  my $unread = '';
  my $fill = sub {
    my $count = sysread($connection, $unread, 262144, length $unread);
    defined $count && $count > 0 or exit 1;
  };
  # The next line; in a chunked body they are sizes and trailers.
  my $line = sub {
    $fill->() until $unread =~ /\n/;
    $unread =~ s/\A([^\n]*)\n//;
    return $1 =~ s/\r\z//r;
  };
  my $skip = sub {
    my ($left) = @_;
    while ($left > 0) {
      $fill->() if $unread eq '';
      my $count = length $unread;
      if ($count > $left) {
        substr($unread, 0, $left, '');
        return;
      }
      $unread = '';
      $left -= $count;
    }
  };

  my ($length, $chunked) = (0, 0);
  my $method = (split / /, $line->())[0] // '';
  while ((my $field = $line->()) ne '') {
    $length = $1 if $field =~ /\Acontent-length:\s*(\d+)\s*\z/i;
    $chunked = 1 if $field =~ /\Atransfer-encoding:\s*chunked\s*\z/i;
  }
  if ($chunked) {
    $length = 0;
    while ((my $size = hex($line->() =~ s/[;\s].*//r)) > 0) {
      $skip->($size);
      $line->();
      $length += $size;
    }
    1 while $line->() ne '';
  } else {
    $skip->($length);
  }
  my $body = qq({"bytes":$length}\n);
  my $head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " . length($body) . "\r\nConnection: close\r\n\r\n";
  syswrite($connection, $head . ($method eq 'HEAD' ? '' : $body));
}
