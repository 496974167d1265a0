// Samples, files, parameters and attributes.
#include <cstring>

#include "tools/otf2/location_import.h"

namespace parallax::otf2 {

using namespace format;

namespace {

uint64_t ofHandle(OTF2_IoHandleRef handle, uint64_t id) { return (uint64_t{handle} + 1) * 0x9E3779B97F4A7C15 ^ id; }

uint64_t bitsOf(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

}  // namespace

// Time inside of calls is measured: samples there tell nothing more.
void LocationImport::sample(OTF2_CallingContextRef context, OTF2_InterruptGeneratorRef generator, uint64_t ticks) {
  if (process_.archive.sampleHz != 0 && generator != process_.archive.sampleGenerator) {
    leave(RecordType::kCallingContextSample, Fault::kOtherTimer);
    return;
  }
  const uint32_t path = process_.contextPath(context);
  if (path == CallPathTable::kNone) {
    leave(RecordType::kCallingContextSample, Fault::kUndefinedContext);
  } else if (isInCall() || isPaused_) {
    leave(RecordType::kCallingContextSample, Fault::kSampleInCall);
  } else {
    process_.hasSamples = true;
    output_.call(Kind::kSample, ticks, path);
  }
}

// An attempt without success is a call of its own: whether the thread works between two of them is not known.
void LocationImport::poll(RecordType type, uint64_t ticks) {
  if (isInCall()) {
    output_.event(Kind::kPoll, 0, ticks, {1, 0});
  } else {
    process_.counts.left[static_cast<size_t>(type)]++;
  }
}

// ---- parameters and attributes: numbers are values of a metric, texts are marks

void LocationImport::parameter(RecordType type, uint64_t ticks, OTF2_ParameterRef ref, uint64_t bits, bool isSigned) {
  const auto known = process_.archive.parameters.find(ref);
  if (known == process_.archive.parameters.end()) {
    leave(type, Fault::kUndefinedParameter);
    return;
  }
  if (isSigned) bits = bitsOf(static_cast<double>(static_cast<int64_t>(bits)));
  value(process_.ownMetric(known->second.name, isSigned), ticks, bits);
}

void LocationImport::textParameter(uint64_t ticks, OTF2_ParameterRef ref, OTF2_StringRef text) {
  const auto known = process_.archive.parameters.find(ref);
  if (known == process_.archive.parameters.end()) {
    leave(RecordType::kParameterString, Fault::kUndefinedParameter);
    return;
  }
  if (!process_.archive.hasText(text)) {
    leave(RecordType::kParameterString, Fault::kUndefinedParameter);
    return;
  }
  const uint32_t mark = process_.mark(known->second.name + "=" + process_.archive.text(text));
  if (mark == 0) {
    leave(RecordType::kParameterString, Fault::kManyTexts);
  } else {
    output_.event(Kind::kMark, mark, ticks);
  }
}

void LocationImport::attributes(const OTF2_AttributeList* list) {
  const uint32_t count = OTF2_AttributeList_GetNumberOfElements(list);
  for (uint32_t i = 0; i < count; i++) {
    OTF2_AttributeRef ref;
    OTF2_Type type;
    OTF2_AttributeValue attribute;
    if (OTF2_AttributeList_GetAttributeByIndex(list, i, &ref, &type, &attribute) != OTF2_SUCCESS) continue;
    ProcessImport::AttributeCount& counted = process_.attributes[ref];
    counted.read++;
    const auto known = process_.archive.attributes.find(ref);
    const bool isNamed = known != process_.archive.attributes.end() && !known->second.name.empty();
    if (isNamed && known->second.name == "ProcessId") continue;  // ProgramBegin took it
    double number = 0;
    uint64_t whole = 0;
    bool isReal = true;
    switch (type) {
      case OTF2_TYPE_UINT8: whole = attribute.uint8, isReal = false; break;
      case OTF2_TYPE_UINT16: whole = attribute.uint16, isReal = false; break;
      case OTF2_TYPE_UINT32: whole = attribute.uint32, isReal = false; break;
      case OTF2_TYPE_UINT64: whole = attribute.uint64, isReal = false; break;
      case OTF2_TYPE_INT8: number = attribute.int8; break;
      case OTF2_TYPE_INT16: number = attribute.int16; break;
      case OTF2_TYPE_INT32: number = attribute.int32; break;
      case OTF2_TYPE_INT64: number = static_cast<double>(attribute.int64); break;
      case OTF2_TYPE_FLOAT: number = static_cast<double>(attribute.float32); break;
      case OTF2_TYPE_DOUBLE: number = attribute.float64; break;
      default:  // texts, and references to definitions
        counted.left++;
        continue;
    }
    if (!isNamed) {
      counted.left++;
      continue;
    }
    value(process_.ownMetric(known->second.name, isReal), lastTicks_, isReal ? bitsOf(number) : whole);
  }
}

// ---- files

void LocationImport::fileEvent(RecordType type, uint64_t ticks, uint32_t file, FileOp op, uint64_t bytes) {
  if (file == 0) {
    leave(type, Fault::kUndefinedFile);
    return;
  }
  output_.event(Kind::kFile, file, ticks, {static_cast<uint64_t>(op), bytes & ~kPayloadBit});
}

void LocationImport::beginOperation(uint64_t, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, uint64_t id) {
  const FileOp op = mode == OTF2_IO_OPERATION_MODE_READ    ? FileOp::kRead
                    : mode == OTF2_IO_OPERATION_MODE_WRITE ? FileOp::kWrite
                                                           : FileOp::kSync;
  const auto known = process_.archive.ioHandles.find(handle);
  if (process_.fileOf(handle) == 0) {
    leave(RecordType::kIoOperationBegin, Fault::kUndefinedFile);
    return;
  }
  const bool isInside = known != process_.archive.ioHandles.end() && openOperations_.count(known->second.parent) > 0;
  const auto [operation, isNew] = fileOperations_.insert_or_assign(ofHandle(handle, id), FileOperation{handle, op, isInside});
  if (isNew) {
    openOperations_[handle]++;
  } else {
    leave(RecordType::kIoOperationBegin, Fault::kRequestWithoutEnd);  // the one before
  }
}

void LocationImport::endOperation(RecordType type, uint64_t ticks, OTF2_IoHandleRef handle, uint64_t bytes,
                                  uint64_t id) {
  const auto begun = fileOperations_.find(ofHandle(handle, id));
  if (begun == fileOperations_.end()) {
    leave(type, Fault::kRequestWithoutEnd);
    return;
  }
  const FileOperation operation = begun->second;
  forget(begun);
  // What a library does inside of its own operation moves the same bytes again.
  if (operation.isInside) return;
  fileEvent(type, ticks, process_.fileOf(handle), operation.op,
            operation.op == FileOp::kSync || bytes == OTF2_UNDEFINED_UINT64 ? 0 : bytes);
}

void LocationImport::cancelOperation(OTF2_IoHandleRef handle, uint64_t id) {
  const auto begun = fileOperations_.find(ofHandle(handle, id));
  if (begun == fileOperations_.end()) {
    leave(RecordType::kIoOperationCancelled, Fault::kRequestWithoutEnd);
  } else {
    forget(begun);
  }
}

void LocationImport::forget(FileOperations::iterator operation) {
  const auto open = openOperations_.find(operation->second.handle);
  if (--open->second == 0) openOperations_.erase(open);
  fileOperations_.erase(operation);
}

}  // namespace parallax::otf2
