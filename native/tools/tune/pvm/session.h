// This process as a task of PVM, and its lines to and from others of ours.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace parallax::tuning::pvm {

// Of messages between ours: the secret of the session, and a line.
inline constexpr int kLineTag = 0x504c5801;
// Of notifications.
inline constexpr int kHostAddedTag = 0x504c5802, kHostDeletedTag = 0x504c5803, kTaskEndedTag = 0x504c5804;

// What came: the message is the one that the unpacking routines read.
struct Message {
  int tag, sender, bytes;
};

class Session {
 public:
  explicit Session(std::string secret) : secret_(std::move(secret)) {}
  // Joins the virtual machine, quietly. False: no daemon answers.
  bool join();
  // Leaves it.
  void leave();
  int task() const { return task_; }
  // For poll(). Messages may have come before: receive() first.
  int fd() const;
  // All that have come. Returns false when the daemon is gone.
  bool receive(const std::function<void(const Message&)>& handle);

  void sendLine(int task, const std::string& line) const;
  // The line of a message with kLineTag. False: it is not of this session.
  bool takeLine(const Message& message, std::string* line) const;

 private:
  const std::string secret_;
  int task_ = -1;
};

// Of the message that was received last, of this size.
std::string unpackText(int bytes);
int unpackNumber();
std::string nameOfTask(int task);  // "t40002"

}  // namespace parallax::tuning::pvm
